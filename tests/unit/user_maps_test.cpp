#include "kernel/user_maps.h"

#include <gtest/gtest.h>

#include "kernel/run_queue.h"

namespace kcost::kernel {
namespace {

constexpr const char* kMaps =
    "aaaad0000000-aaaad0002000 r--p 00000000 fe:01 131 /usr/bin/a program\n"
    "aaaad0002000-aaaad0004000 r-xp 00002000 fe:01 131 /usr/bin/a program\n"
    "ffff80000000-ffff80001000 r-xp 00000000 00:00 0 \n"
    "ffffa0000000-ffffa0001000 r-xp 00000000 00:00 0 [vdso]\n"
    "not a mapping\n";

TEST(UserMaps, ObjectAndOffsetInItsFile) {
    UserMaps maps(kMaps);
    EXPECT_EQ(maps.describe(0xaaaad0002010), "a program+0x2010");
    EXPECT_EQ(maps.describe(0xffffa0000004), "[vdso]+0x4");
    EXPECT_EQ(maps.describe(0xffff80000008), "[anonymous]+0x8");
}

TEST(UserMaps, OffsetsAreThoseOfTheFile) {
    UserMaps maps(kMaps);
    EXPECT_EQ(maps.file_offset(0xaaaad0002010), 0x2010u);
    EXPECT_EQ(maps.file_offset(0xaaaad0004000), std::nullopt);
}

TEST(UserMaps, WhatIsNotExecutableOrNotMappedIsUnknown) {
    UserMaps maps(kMaps);
    EXPECT_EQ(maps.describe(0xaaaad0000010), "[unknown]+0xaaaad0000010");
    EXPECT_EQ(UserMaps("").describe(16), "[unknown]+0x10");
}

TEST(RunQueue, KnowsTheSchedulersInnerFunctions) {
    EXPECT_TRUE(runs_under_run_queue_lock("check_and_switch_context"));
    EXPECT_TRUE(runs_under_run_queue_lock("pick_next_task_fair"));
    EXPECT_TRUE(runs_under_run_queue_lock("finish_task_switch.isra.0"));
    EXPECT_FALSE(runs_under_run_queue_lock("vfs_read"));
    EXPECT_FALSE(runs_under_run_queue_lock("do_wp_page"));
}

}  // namespace
}  // namespace kcost::kernel
