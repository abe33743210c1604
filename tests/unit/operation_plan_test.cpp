#include "probe/operation_plan.h"

#include <gtest/gtest.h>

#include "kernel_a64_words.h"
#include "kernel_live_root.h"

namespace kcost::probe {
namespace {

using namespace kernel;

constexpr std::uint64_t kHere = 0xffff800080010000;

/// Functions with their flushes: of a page, of a process, of this CPU alone, of a page for somebody
/// else's barrier, and one that no probe may touch.
class Kernel {
public:
    Kernel() {
        add("f", {kNop, kDsbIshst, kFlush, kDsbIsh, kFlushAgain, kDsbIsh, kRet});
        add("f.isra.0", {kDsbIshst, kFlushProcess, kDsbIsh, kRet});
        add("here", {kDsbNshst, kFlushHere, kDsbNsh, kRet});
        add("nosync", {kDsbIshst, kFlush, kRet});
        add("loop", {kNop, kFlush, cbz(8, 4), kDsbIsh, kRet});
        add("do_page_fault", {kDsbIshst, kFlush, kDsbIsh, kRet});
        root_.add_mark(kHere, 'T', "_stext").add_mark(next_, 'D', "_etext");
        TempRoot blacklist;
        blacklist.put("/sys/kernel/debug/kprobes/blacklist", "0x0-0x0\tdo_page_fault\n");
        blacklist_ = KprobeBlacklist::read(blacklist.get()).value_or(KprobeBlacklist());
    }

    Result<OperationPlan> plan(const model::Operation& operation) {
        return OperationPlanner(root_.get()).plan(operation, blacklist_);
    }

private:
    void add(const std::string& name, const std::vector<std::uint32_t>& words) {
        const TextRange text{next_, words};
        root_.add_function(name, text);
        next_ = text.end();
    }

    LiveRoot root_;
    KprobeBlacklist blacklist_;
    std::uint64_t next_ = kHere;
};

std::vector<std::string> labels_of(const Result<OperationPlan>& plan) {
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().what);
    std::vector<std::string> labels;
    if (!plan) return labels;
    for (const PlannedSite& site : plan->sites) labels.push_back(site.place.label);
    return labels;
}
using Labels = std::vector<std::string>;

TEST(OperationPlan, SitesAreThoseAskedFor) {
    Kernel kernel;
    EXPECT_EQ(labels_of(kernel.plan({.broadcast = true, .one_page = true, .in = ""})),
              (Labels{"f+0x4", "nosync+0x0"}));
    EXPECT_EQ(labels_of(kernel.plan({.broadcast = true, .one_page = false, .in = ""})),
              (Labels{"f+0x4", "f.isra.0+0x0", "nosync+0x0", "loop+0x4"}));
    EXPECT_EQ(labels_of(kernel.plan({.broadcast = false, .one_page = false, .in = ""})),
              Labels{"here+0x0"});
    // In a function: also in what the compiler made of it, but not the other way round.
    EXPECT_EQ(labels_of(kernel.plan({.broadcast = true, .one_page = false, .in = "f"})),
              (Labels{"f+0x4", "f.isra.0+0x0"}));
    EXPECT_EQ(labels_of(kernel.plan({.broadcast = true, .one_page = false, .in = "f.isra.0"})),
              Labels{"f.isra.0+0x0"});
}

TEST(OperationPlan, ASiteKnowsItsPlace) {
    Kernel kernel;
    const auto plan = kernel.plan({.broadcast = true, .one_page = true, .in = "f"});
    ASSERT_TRUE(plan);
    const PlannedSite& site = plan->sites.at(0);
    EXPECT_EQ(site.place.function, "f");
    EXPECT_EQ(site.place.address, kHere + 4);
    EXPECT_EQ(site.place.exits, std::vector<std::uint64_t>{kHere + 24});
    EXPECT_TRUE(site.place.operation);
    EXPECT_FALSE(site.place.frame_record);
    EXPECT_TRUE(site.repeated);
    EXPECT_FALSE(site.count_only);
    EXPECT_TRUE(site.detail.starts_with("vale1is; ")) << site.detail;
}

TEST(OperationPlan, WhatHasNoEndIsCounted) {
    Kernel kernel;
    const auto nosync = kernel.plan({.broadcast = true, .one_page = true, .in = "nosync"});
    ASSERT_TRUE(nosync);
    EXPECT_TRUE(nosync->sites.at(0).count_only);
    EXPECT_EQ(nosync->sites.at(0).count_reason,
              "the barrier that waits for it is in another function");
    const auto loop = kernel.plan({.broadcast = true, .one_page = false, .in = "loop"});
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->sites.at(0).count_reason, "it begins within a loop: each turn counts");
}

TEST(OperationPlan, WhatNoProbeMayTouchIsSkipped) {
    Kernel kernel;
    const auto plan = kernel.plan({.broadcast = true, .one_page = true, .in = "do_page_fault"});
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->sites.empty());
    ASSERT_EQ(plan->skipped.size(), 1u);
    EXPECT_EQ(plan->skipped[0].function, "do_page_fault+0x0");
    EXPECT_EQ(plan->skipped[0].reason, "denied: the kernel's own blacklist keeps probes off it");
}

TEST(OperationPlan, NothingFoundIsAnError) {
    Kernel kernel;
    const auto plan = kernel.plan({.broadcast = true, .one_page = true, .in = "here"});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().what, "no such operation in here");
    EXPECT_EQ(plan.error().code, ExitCode::kCannotHere);
    const auto missing = kernel.plan({.broadcast = true, .one_page = true, .in = "no_such"});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().what, "this kernel has no function no_such");
    LiveRoot other("x86_64");
    OperationPlanner planner(other.get());
    for (int i = 0; i < 2; ++i) {
        const auto refused = planner.plan({}, {});
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().what.find("this is x86_64"), std::string::npos);
    }
}

}  // namespace
}  // namespace kcost::probe
