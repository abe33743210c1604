#include "workload/run_plan.h"

#include <gtest/gtest.h>

#include "kernel_temp_root.h"
#include "workload/workload.h"

namespace kcost::workload {
namespace {

using Cpus = std::vector<unsigned>;

constexpr std::uint64_t kMiB = 1 << 20;

Workload of(Layout layout, bool has_footprint = false) {
    return {.name = "w",
            .summary = "",
            .unit = "units",
            .members_are = "threads",
            .run = nullptr,
            .layout = layout,
            .has_footprint = has_footprint};
}

Result<RunPlan> plan(const Workload& workload, const WorkloadOptions& options) {
    return plan_run(workload, options, {0, 1, 2, 3}, {"/no/such/root"});
}

TEST(RunPlan, TheLastCpusAreTheDefault) {
    EXPECT_EQ(plan(of({}), {})->member_cpus, Cpus({3}));
    EXPECT_EQ(plan(of({.default_cpus = 2}), {})->member_cpus, Cpus({2, 3}));
    EXPECT_EQ(plan(of({.default_cpus = 64}), {})->member_cpus, Cpus({0, 1, 2, 3}));
    EXPECT_EQ(plan(of({}), {.threads = 3})->member_cpus, Cpus({1, 2, 3}));
}

TEST(RunPlan, MembersTakeTurnsOnTheCpusGiven) {
    const auto many = plan(of({}), {.cpus = {0, 2}, .threads = 5});
    EXPECT_EQ(many->member_cpus, Cpus({0, 2, 0, 2, 0}));
    EXPECT_EQ(many->cpus, Cpus({0, 2}));
    EXPECT_EQ(plan(of({}), {.cpus = {2, 0}})->cpus, Cpus({0, 2}));
    EXPECT_EQ(plan(of({}), {.cpus = {0, 1, 2}, .threads = 1})->cpus, Cpus({0}));
}

TEST(RunPlan, APairSharesItsCpu) {
    const Layout pairs{.members = 2, .on_one_cpu = 2};
    EXPECT_EQ(plan(of(pairs), {})->member_cpus, Cpus({3, 3}));
    EXPECT_EQ(plan(of(pairs), {.cpus = {1, 2}})->member_cpus, Cpus({1, 1, 2, 2}));
}

TEST(RunPlan, AGroupIsSpreadOverAllCpus) {
    const Layout group{.members = 6, .default_cpus = 0, .one_a_cpu = false};
    const auto one = plan(of(group), {});
    EXPECT_EQ(one->options.threads, 1u);
    EXPECT_EQ(one->member_cpus, Cpus({0, 1, 2, 3, 0, 1}));
    EXPECT_EQ(plan(of(group), {.threads = 2})->member_cpus.size(), 12u);
}

TEST(RunPlan, ACpuThatMayNotBeUsedIsNamed) {
    const auto refused = plan(of({}), {.cpus = {0, 9}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kUsage);
    EXPECT_NE(refused.error().what.find("CPU 9"), std::string::npos);
    EXPECT_NE(refused.error().hint.find("0,1,2,3"), std::string::npos);
}

TEST(RunPlan, TooManyMembersAreRefused) {
    EXPECT_TRUE(plan(of({.members = 40}), {.threads = 400}));
    EXPECT_FALSE(plan(of({.members = 40}), {.threads = 4'000'000'000}));
}

// A machine with so much available, in a group that leaves it so much.
Result<RunPlan> plan_with_memory(std::uint64_t machine_mib, std::uint64_t group_mib,
                                 const WorkloadOptions& options) {
    kernel::TempRoot root;
    root.put("/proc/meminfo",
             "MemTotal: 99999999 kB\nMemAvailable: " + std::to_string(machine_mib * 1024) + " kB\n")
        .put("/proc/self/cgroup", "0::/g\n")
        .put("/sys/fs/cgroup/g/memory.max", std::to_string(group_mib * kMiB) + "\n")
        .put("/sys/fs/cgroup/g/memory.current", "0\n");
    return plan_run(of({}, true), options, {0, 1, 2, 3}, root.get());
}

TEST(Footprint, IsOneGibOrATwentiethOfWhatTheGroupLeaves) {
    EXPECT_EQ(plan_with_memory(100'000, 100'000, {})->options.footprint_bytes, 1024 * kMiB);
    EXPECT_EQ(plan_with_memory(100'000, 4000, {})->options.footprint_bytes, 200 * kMiB);
    EXPECT_EQ(plan_with_memory(2000, 4000, {})->options.footprint_bytes, 100 * kMiB);
}

TEST(Footprint, MoreOnlyWhereAskedForAndNeverOverHalf) {
    const auto asked = plan_with_memory(100'000, 4000, {.footprint_bytes = 2000 * kMiB});
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->options.footprint_bytes, 2000 * kMiB);
    const auto refused = plan_with_memory(100'000, 4000, {.footprint_bytes = 2001 * kMiB});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kCannotHere);
    EXPECT_NE(refused.error().what.find("half of the 3.91 GiB"), std::string::npos);
    EXPECT_EQ(refused.error().hint, "--footprint 2000M or less");
}

TEST(Footprint, TooLittleForItsThreadsIsRefused) {
    EXPECT_TRUE(plan_with_memory(1000, 1000, {.threads = 4, .footprint_bytes = 4 * kMiB}));
    const auto refused = plan_with_memory(1000, 1000, {.threads = 5, .footprint_bytes = 4 * kMiB});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kUsage);
}

TEST(Footprint, IsNotLookedAtWhereThereIsNone) { EXPECT_TRUE(plan(of({}), {})); }

}  // namespace
}  // namespace kcost::workload
