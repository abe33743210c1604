#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/fd.h"
#include "kernel/cpus.h"
#include "kernel/limits.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

TEST(CpuList, ParsesWhatTheKernelWrites) {
    EXPECT_EQ(parse_cpu_list("0-3,8\n"), (std::vector<unsigned>{0, 1, 2, 3, 8}));
    EXPECT_EQ(parse_cpu_list("5"), (std::vector<unsigned>{5}));
    EXPECT_EQ(parse_cpu_list("\n"), (std::vector<unsigned>{}));
}

TEST(CpuList, RefusesTheRest) {
    for (const char* text : {"a", "3-1", "1-", "-1", "1,,2", "0-4294967295", "1-2-3", "0 1"}) {
        EXPECT_FALSE(parse_cpu_list(text)) << text;
    }
}

TEST(Cpus, PossibleCountsToTheHighestNumber) {
    TempRoot root;
    root.put("/sys/devices/system/cpu/online", "0,2\n")
        .put("/sys/devices/system/cpu/possible", "0-2,7\n");
    const auto online = online_cpus(root.get());
    ASSERT_TRUE(online);
    EXPECT_EQ(online->size(), 2u);
    const auto possible = possible_cpus(root.get());
    ASSERT_TRUE(possible);
    EXPECT_EQ(*possible, 8u);
}

TEST(Cpus, UnreadableOrEmptyIsAnError) {
    TempRoot root;
    EXPECT_FALSE(online_cpus(root.get()));
    root.put("/sys/devices/system/cpu/online", "\n");
    EXPECT_FALSE(online_cpus(root.get()));
}

TEST(Threads, IsTheSecondHalfOfTheFourthField) {
    TempRoot root;
    root.put("/proc/loadavg", "0.01 0.05 0.05 3/851 7540\n");
    const auto threads = thread_count(root.get());
    ASSERT_TRUE(threads);
    EXPECT_EQ(*threads, 851u);
    root.put("/proc/loadavg", "0.01\n");
    EXPECT_FALSE(thread_count(root.get()));
}

TEST(Load, IsTheFirstField) {
    TempRoot root;
    root.put("/proc/loadavg", "1.25 0.05 0.05 3/851 7540\n");
    const auto load = load_average(root.get());
    ASSERT_TRUE(load);
    EXPECT_DOUBLE_EQ(*load, 1.25);
    root.put("/proc/loadavg", "\n");
    EXPECT_FALSE(load_average(root.get()));
}

TEST(Memory, IsInBytes) {
    const auto memory = read_memory(guest("arm64-7.3"));
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->total_bytes, 1010552832u);
    EXPECT_GT(memory->available_bytes, 0u);
    EXPECT_LT(memory->available_bytes, memory->total_bytes);
    TempRoot root;
    EXPECT_FALSE(read_memory(root.get()));
}

TEST(OpenFiles, AreCountedAndTheLimitTold) {
    const auto before = open_files();
    const Fd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const auto after = open_files();
    ASSERT_TRUE(before && after);
    EXPECT_EQ(*after, *before + 1);
    const auto limit = raise_open_files(1);
    ASSERT_TRUE(limit);
    EXPECT_GE(*limit, 1u);
}

}  // namespace
}  // namespace kcost::kernel
