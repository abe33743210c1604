#include "probe/plan.h"

#include <gtest/gtest.h>

#include "kernel_a64_words.h"
#include "kernel_live_root.h"

namespace kcost::probe {
namespace {

using namespace kernel;

constexpr std::uint64_t kHere = 0xffff800080010000;

Result<Plan> plan_of(const std::string& text, bool with_blacklist) {
    LiveRoot root;
    const TextRange f{kHere, {kNop, kNop, kRet}};
    root.add_function("f", f).add_mark(kHere, 'T', "_stext").add_mark(f.end(), 'D', "_etext");
    if (with_blacklist) root.put("/sys/kernel/debug/kprobes/blacklist", "0x0-0x0\tother\n");
    auto target = model::parse_target(text);
    EXPECT_TRUE(target) << text;
    return make_plan(root.get(), {*target}, {});
}

// A breakpoint asks nobody: without the list of what no probe may touch kcost sets none.
TEST(Plan, NoBreakpointWithoutTheBlacklist) {
    for (const std::string place : {"f", "f+0x4"}) {
        const auto asked = plan_of(place + ",by=hwbreak", false);
        ASSERT_TRUE(asked);
        EXPECT_TRUE(asked->sites.empty()) << place;
        ASSERT_EQ(asked->skipped.at(0).size(), 1u) << place;
        EXPECT_NE(asked->skipped[0][0].reason.find("what no probe may touch is not there"),
                  std::string::npos);
        const auto any = plan_of(place, false);
        ASSERT_TRUE(any);
        EXPECT_FALSE(any->sites.at(0).place.may_break) << place;
        const auto known = plan_of(place + ",by=hwbreak", true);
        ASSERT_TRUE(known);
        EXPECT_TRUE(known->sites.at(0).place.may_break) << place;
        EXPECT_EQ(known->sites.at(0).place.only, "hwbreak");
    }
}

// Nor where nothing tells whether a stop there hangs the CPU.
TEST(Plan, NoBreakpointAmidCodeThatCannotBeRead) {
    LiveRoot sample;
    const TextRange f{kHere, {kNop, kNop, kRet}};
    sample.add_function("f", f).add_mark(kHere, 'T', "_stext").add_mark(f.end(), 'D', "_etext");
    sample.put("/sys/kernel/debug/kprobes/blacklist", "0x0-0x0\tother\n");
    const Root& root = sample.get();
    sample.put(kKcore, "");
    const auto any = make_plan(root, {*model::parse_target("f+0x4")}, {});
    ASSERT_TRUE(any);
    EXPECT_FALSE(any->sites.at(0).place.may_break);
    const auto asked = make_plan(root, {*model::parse_target("f+0x4,by=hwbreak")}, {});
    ASSERT_TRUE(asked);
    EXPECT_TRUE(asked->sites.empty());
    EXPECT_TRUE(asked->skipped.at(0).at(0).reason.starts_with("whether a stop there hangs"));
}

TEST(Plan, WhyAnInstructionIsCountedNeedsNoWords) {
    const auto plan = plan_of("f+0x4", true);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->sites.at(0).count_only);
    EXPECT_EQ(plan->sites[0].count_reason, "");
}

}  // namespace
}  // namespace kcost::probe
