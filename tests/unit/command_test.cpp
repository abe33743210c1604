#include "workload/command.h"

#include <gtest/gtest.h>

namespace kcost::workload {
namespace {

constexpr std::uint64_t kMinute_ns = 60'000'000'000;

class Command : public testing::Test {
protected:
    Result<CommandRun> run(const std::string& script, std::uint64_t longest_ns = kMinute_ns,
                           const Hooks& hooks = {}) {
        return run_command({"sh", "-c", script}, longest_ns, signals_, hooks);
    }
    std::string error_of(const std::string& script, std::uint64_t longest_ns = kMinute_ns) {
        const auto ran = run(script, longest_ns);
        return ran ? "" : ran.error().what;
    }

    Signals signals_ = *Signals::take();
};

TEST_F(Command, BothStreamsAreKept) {
    const auto ran = run("echo one; echo two >&2; read line || echo nothing to read");
    ASSERT_TRUE(ran) << ran.error().what;
    EXPECT_EQ(ran->output, "one\ntwo\nnothing to read\n");
    EXPECT_GT(ran->elapsed_ns, 0u);
}

TEST_F(Command, AFailureIsNamed) {
    const auto ran = run("echo first; echo no server >&2; exit 3");
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().what, "sh ended with status 3");
    EXPECT_EQ(ran.error().hint, "what it printed last: no server");
    EXPECT_EQ(error_of("kill -9 $$"), "sh was killed by signal 9");
    const auto none = run_command({"kcost-no-such-program"}, kMinute_ns, signals_);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().what, "cannot run kcost-no-such-program: No such file or directory");
}

TEST_F(Command, OneThatHangsIsKilledWithAllOfItsProcesses) {
    EXPECT_EQ(error_of("sleep 1000 & wait", 100'000'000), "sh did not end within 0 s");
}

TEST_F(Command, OneThatLeavesAProcessBehindHasEnded) {
    const auto ran = run("sleep 3 & echo done");
    ASSERT_TRUE(ran) << ran.error().what;
    EXPECT_EQ(ran->output, "done\n");
    EXPECT_LT(ran->elapsed_ns, 2'500'000'000u);
}

TEST_F(Command, OfALongOutputTheLastIsKept) {
    const auto ran = run("head -c 9000000 /dev/zero; echo; echo last");
    ASSERT_TRUE(ran) << ran.error().what;
    EXPECT_EQ(ran->output.size(), kKeptOutput_bytes);
    EXPECT_TRUE(ran->output.ends_with("\nlast\n"));
}

TEST_F(Command, NothingRunsBeforeTheHookAllowsIt) {
    Hooks hooks;
    hooks.held = [] { return Result<void>(fail("no rights")); };
    const auto ran = run("echo it ran", kMinute_ns, hooks);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().what, "no rights");
}

}  // namespace
}  // namespace kcost::workload
