#include <gtest/gtest.h>

#include "kernel/probe_lists.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

TEST(KprobeBlacklist, KnowsNamesAndRanges) {
    const auto list = KprobeBlacklist::read(guest("arm64-6.1"));
    ASSERT_TRUE(list);
    EXPECT_EQ(list->size(), 8u);
    EXPECT_TRUE(list->contains("do_page_fault"));
    EXPECT_FALSE(list->contains("do_page"));
    EXPECT_TRUE(list->contains(0xffffaf0c6e0385a0));
    EXPECT_TRUE(list->contains(0xffffaf0c6e03863c));
    EXPECT_FALSE(list->contains(0xffffaf0c6e038640)) << "the end is outside";
    EXPECT_FALSE(list->contains(0x1000));
}

TEST(KprobeBlacklist, HiddenAddressesLeaveTheNames) {
    TempRoot root;
    root.put("/sys/kernel/debug/kprobes/blacklist",
             "0x0000000000000000-0x0000000000000000\tdo_page_fault\n"
             "0x0000000000000000-0x0000000000000000\tmodule_function [module]\ngarbage\n\n");
    const auto list = KprobeBlacklist::read(root.get());
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->contains("do_page_fault"));
    EXPECT_TRUE(list->contains("module_function"));
    EXPECT_FALSE(list->contains(std::uint64_t{0}));
    EXPECT_EQ(list->size(), 2u);
}

TEST(KprobeBlacklist, IsLookedForWhereDebugfsIsMounted) {
    TempRoot root;
    root.put("/proc/self/mounts", "debugfs /mnt/debug debugfs rw,relatime 0 0\n")
        .put("/mnt/debug/kprobes/blacklist", "0x1000-0x1040\tname\n");
    const auto list = KprobeBlacklist::read(root.get());
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->contains("name"));
}

TEST(KprobeBlacklist, WithoutTheFileTellsTheRemedy) {
    TempRoot root;
    const auto list = KprobeBlacklist::read(root.get());
    ASSERT_FALSE(list);
    EXPECT_NE(list.error().hint.find("mount -t debugfs"), std::string::npos);
    EXPECT_FALSE(KprobeBlacklist().contains("anything"));
    EXPECT_FALSE(KprobeBlacklist().contains(std::uint64_t{1}));
}

TEST(Mounts, TracefsAlsoByWayOfDebugfs) {
    EXPECT_EQ(tracefs_mount(guest("arm64-6.1")), "/sys/kernel/tracing");
    EXPECT_EQ(debugfs_mount(guest("arm64-6.1")), "/sys/kernel/debug");
    TempRoot root;
    EXPECT_FALSE(tracefs_mount(root.get()));
    root.put("/proc/self/mounts", "none /sys/kernel/debug debugfs rw 0 0\n");
    EXPECT_EQ(tracefs_mount(root.get()), "/sys/kernel/debug/tracing");
}

TEST(Traceable, TellsMembershipByName) {
    const auto found =
        traceable(guest("arm64-6.1"), {"vfs_read", "caches_clean_inval_pou", "vfs_read",
                                       "finish_task_switch.isra.0", "virtqueue_is_broken"});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (std::vector<bool>{true, false, true, true, true}));
    TempRoot root;
    EXPECT_FALSE(traceable(root.get(), {"vfs_read"}));
}

}  // namespace
}  // namespace kcost::kernel
