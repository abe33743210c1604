#include "workload/runner.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "workload/crew.h"
#include "workload/pin.h"
#include "workload/workload_table.h"

namespace kcost::workload {
namespace {

// Runs in the child, so it knows the parent only by its number.
Result<void> interrupt_the_runner(Job& job) {
    ::kill(::getppid(), SIGINT);
    while (!job.stopped()) ::poll(nullptr, 0, 1);
    return {};
}

Result<void> arrive_and_be_killed(Job& job) {
    return run_processes(
        job,
        [&](unsigned member) -> Result<void> {
            job.arrive();
            if (member == 0) ::kill(::getpid(), SIGSEGV);
            for (;;) ::pause();
        },
        [] {});
}

Result<void> tell_the_oom_score(Job&) {
    int score = 0;
    std::ifstream("/proc/self/oom_score_adj") >> score;
    return fail("score " + std::to_string(score));
}

Result<model::Ticks> run_alone(Result<void> (*work)(Job&), const Hooks& hooks = {}) {
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    const Workload workload = {
        .name = "w", .summary = "", .unit = "units", .members_are = "threads", .run = work};
    auto allowed = allowed_cpus();
    if (!allowed) return tl::unexpected(allowed.error());
    auto plan = plan_run(workload, {.threads = 2}, *allowed, {});
    if (!plan) return tl::unexpected(plan.error());
    auto ticks = run(workload, *plan, *signals, hooks);
    unblock_signals();
    return ticks;
}

TEST(Runner, AWorkloadsOwnErrorComesWithItsHintAndCode) {
    const auto failed =
        run_alone([](Job&) -> Result<void> { return fail("no", "do", ExitCode::kCannotHere); });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "cannot run w: no");
    EXPECT_EQ(failed.error().hint, "do");
    EXPECT_EQ(failed.error().code, ExitCode::kCannotHere);
}

TEST(Runner, AnErrorOfOneThreadIsTheWorkloads) {
    const auto failed = run_alone([](Job& job) -> Result<void> {
        return run_threads(job, [&](unsigned member) -> Result<void> {
            if (member == 1) return fail("the second cannot");
            while (!job.stopped()) ::poll(nullptr, 0, 1);
            return {};
        });
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "cannot run w: the second cannot");
}

TEST(Runner, AMemberThatIsKilledEndsTheOthersAndIsTold) {
    const auto failed = run_alone(arrive_and_be_killed);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what,
              "cannot run w: a process of the workload was killed by signal 11");
}

TEST(Runner, AProcessThatIsKilledIsTold) {
    const auto failed = run_alone([](Job&) -> Result<void> {
        ::kill(::getpid(), SIGKILL);
        return {};
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "w was killed (signal 9)");
}

TEST(Runner, AWorkloadThatEndsByItselfIsAFailure) {
    const auto failed = run_alone([](Job&) -> Result<void> { return {}; });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "w ended early, with status 0");
}

TEST(Runner, InterruptedBeforeATickThereIsNoResult) {
    const auto interrupted = run_alone(interrupt_the_runner);
    ASSERT_FALSE(interrupted);
    EXPECT_EQ(interrupted.error().code, ExitCode::kInterrupted);
}

TEST(Runner, TheWorkloadIsTheFirstThatMemoryIsTakenFrom) {
    EXPECT_EQ(run_alone(tell_the_oom_score).error().what, "cannot run w: score 1000");
    int own = 0;
    std::ifstream("/proc/self/oom_score_adj") >> own;
    EXPECT_NE(own, 1000);
}

TEST(Runner, AHookThatFailsEndsItBeforeTheWorkloadRuns) {
    Hooks hooks;
    hooks.held = []() -> Result<void> { return fail("no rights"); };
    const auto failed = run_alone([](Job&) -> Result<void> { return {}; }, hooks);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "no rights");
}

TEST(WorkloadTable, EveryRowIsWhole) {
    EXPECT_EQ(workload_table().size(), 11u);
    for (const Workload* workload : workload_table()) {
        EXPECT_NE(workload->run, nullptr) << workload->name;
        EXPECT_GT(std::string(workload->summary).size(), 10u) << workload->name;
        EXPECT_GT(std::string(workload->unit).size(), 3u) << workload->name;
        EXPECT_GT(std::string(workload->proof).size(), 3u) << workload->name;
    }
}

}  // namespace
}  // namespace kcost::workload
