#include "analyse/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/rates.h"
#include "boots.h"

namespace kcost {
namespace {

// Five boots a side, alike, `shift` apart.
Comparison shifted(double shift, double spread = 0.002) {
    const std::vector<double> before = {0, spread, -spread, spread / 2, -spread / 2};
    std::vector<double> after;
    for (double value : before) after.push_back(value + shift);
    return test::comparison_of(before, after);
}

Comparison one_boot(double shift) {
    const auto side = [](double by) {
        return *make_units(test::boots_of_logs({{by, by + 0.001, by - 0.001}}), "figure");
    };
    return *compare(side(0), side(shift), {});
}

MechanismEffect flushes(std::uint64_t before, std::uint64_t after) {
    MechanismEffect effect;
    effect.name = "flushes per hit";
    effect.ratio = rate_ratio({before, 10'000}, {after, 10'000}, 0.05)->ratio;
    return effect;
}

// A patch as it should be: the hot path is gone, the workload twice as fast, the control still.
VerdictInput good_patch() {
    VerdictInput input;
    input.scope = Scope::kPatch;
    input.before = Evidence::kAbsent;
    input.after = Evidence::kPresent;
    input.mechanism = {flushes(10'000, 0)};
    input.benefits = {{"uprobe-push", shifted(std::log(2)), "", true, 2.2}};
    input.controls = {{"uprobe-ret", shifted(0), ""}};
    return input;
}

Outcome outcome_of(const VerdictInput& input) { return decide(input)->outcome; }

bool has_reason(const Verdict& verdict, const std::string& part) {
    return std::any_of(verdict.reasons.begin(), verdict.reasons.end(),
                       [&](const auto& reason) { return reason.find(part) != reason.npos; });
}

TEST(Verdict, ConfirmedIsAllOfIt) {
    const auto verdict = decide(good_patch());
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->outcome, Outcome::kConfirmed);
    EXPECT_EQ(static_cast<int>(verdict->outcome), 0);
    EXPECT_FALSE(verdict->boots_needed);
    EXPECT_DOUBLE_EQ(verdict->benefits.at(0).comparison->alpha, 0.05 / 3);
    EXPECT_EQ(verdict->controls.at(0).outcome, Equivalence::Outcome::kEquivalent);
    EXPECT_TRUE(has_reason(*verdict, "flushes per hit: -100% (-100% to -99."));
    EXPECT_TRUE(has_reason(*verdict, "uprobe-push: +100.00%"));
}

TEST(Verdict, EachCapHoldsItAtMechanismOnlyAndIsNamed) {
    const auto capped = [](auto change, const std::string& reason) {
        VerdictInput input = good_patch();
        change(input);
        const auto verdict = decide(input);
        EXPECT_EQ(verdict->outcome, Outcome::kMechanismOnly) << reason;
        EXPECT_TRUE(has_reason(*verdict, reason)) << reason;
        EXPECT_FALSE(verdict->boots_needed) << reason;
    };
    capped([](auto& in) { in.scope = Scope::kKernelChange; },
           "the kernels differ in more than this patch");
    capped([](auto& in) { in.emulated = true; }, "emulated");
    capped([](auto& in) { in.times_differ = {"governor: schedutil, performance"}; },
           "times are not compared: these differ: governor: schedutil, performance");
    capped([](auto& in) { in.before = Evidence::kCannotTell; }, "does not tell");
    capped([](auto& in) { in.after = Evidence::kSuperseded; }, "superseded the patch");
    capped([](auto& in) { in.controls.clear(); }, "a control was not measured");
    capped([](auto& in) { in.controls[0].comparison.reset(); }, "a control was not measured");
    capped([](auto& in) { in.controls[0].comparison = shifted(0.2); }, "a control moved");
    capped(
        [](auto& in) {
            in.benefits.clear();
            in.emulated = true;
        },
        "emulated");
}

TEST(Verdict, MechanismWithoutBenefitIsMechanismOnly) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison = shifted(0);
    input.benefits[0].claimed_ratio = 1.01;
    EXPECT_EQ(outcome_of(input), Outcome::kMechanismOnly);
    EXPECT_TRUE(has_reason(*decide(input), "no effect beyond 2.0%"));
}

TEST(Verdict, BootsThatWouldSettleIt) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison = shifted(0.005, 0.03);
    input.benefits[0].claimed_ratio = 1.01;
    const auto verdict = decide(input);
    EXPECT_EQ(verdict->outcome, Outcome::kUndecided);
    ASSERT_TRUE(verdict->boots_needed);
    EXPECT_GT(*verdict->boots_needed, 5u);
    EXPECT_LT(*verdict->boots_needed, 1000u);

    input.controls[0].comparison = shifted(0, 0.07);
    EXPECT_GT(*decide(input)->boots_needed, *verdict->boots_needed);
    input.benefits[0].comparison = shifted(0, 0.8);
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_FALSE(decide(input)->boots_needed);
    EXPECT_TRUE(has_reason(*decide(input), "more than 1000 boots"));
}

TEST(Verdict, AClaimThatIsNotThereAsksForBootsBeyondThoseMeasured) {
    VerdictInput input = good_patch();  // claims more than a doubling, for which three boots do
    input.benefits[0].comparison = shifted(0.15, 0.1);
    const auto verdict = decide(input);
    EXPECT_EQ(verdict->outcome, Outcome::kUndecided);
    EXPECT_GT(verdict->boots_needed.value_or(0), 5u);
}

TEST(Verdict, OneBootASideConfirmsADoublingOnly) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison = one_boot(std::log(2.2));
    input.controls[0].comparison = one_boot(0.001);
    EXPECT_EQ(outcome_of(input), Outcome::kConfirmed);
    EXPECT_TRUE(has_reason(*decide(input), "fewer than three boots on a side"));
    input.benefits[0].comparison = one_boot(0.02);
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_EQ(decide(input)->boots_needed, 3u);  // for the claimed 2.2
}

TEST(Verdict, RegressedWhereTheWorkloadOrTheHotPathGotWorse) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison = shifted(-0.1);
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
    input.scope = Scope::kKernelChange;
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
    input.emulated = true;
    EXPECT_EQ(outcome_of(input), Outcome::kMechanismOnly);
    input = good_patch();
    input.mechanism = {flushes(10'000, 20'000)};
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
    input = good_patch();
    input.benefits[0].higher_is_better = false;
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
}

TEST(Verdict, NoEffect) {
    VerdictInput input = good_patch();
    input.mechanism = {flushes(10'000, 10'000)};
    input.mechanism[0].least_effect = 0.05;
    input.benefits[0].comparison = shifted(0);
    EXPECT_EQ(outcome_of(input), Outcome::kNoEffect);
    input.emulated = true;
    EXPECT_EQ(outcome_of(input), Outcome::kNoEffect);
    input.emulated = false;
    input.benefits[0].comparison = shifted(std::log(2));
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_TRUE(has_reason(*decide(input), "not shown to be by the patch"));
}

TEST(Verdict, MechanismThatShowsNothing) {
    VerdictInput input = good_patch();
    input.mechanism[0].complete = false;
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_TRUE(has_reason(*decide(input), "hits were lost"));
    input.mechanism.clear();
    EXPECT_TRUE(has_reason(*decide(input), "the mechanism was not measured"));
    input.mechanism = {flushes(0, 0)};  // never reached
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_TRUE(has_reason(*decide(input), "not clear"));
    input.mechanism = {flushes(1'000'000'000, 995'000'000)};  // significant, and no matter
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_TRUE(has_reason(*decide(input), "unchanged"));
}

TEST(Verdict, MechanismThatRises) {
    VerdictInput input = good_patch();
    input.mechanism = {flushes(0, 10'000)};
    input.mechanism[0].falls = false;
    EXPECT_EQ(outcome_of(input), Outcome::kConfirmed);
    input.mechanism = {flushes(10'000, 0)};
    input.mechanism[0].falls = false;
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
}

TEST(Verdict, NotComparableNamesWhatDiffers) {
    VerdictInput input = good_patch();
    input.counts_differ = {"page size: 4096, 65536"};
    EXPECT_EQ(outcome_of(input), Outcome::kNotComparable);
    EXPECT_TRUE(has_reason(*decide(input), "page size: 4096, 65536"));
    input.counts_differ.clear();
    input.times_differ = {"CPU: A72, N1"};
    input.mechanism[0].is_time = true;
    EXPECT_EQ(outcome_of(input), Outcome::kNotComparable);
    EXPECT_TRUE(has_reason(*decide(input), "CPU: A72, N1"));
}

TEST(Verdict, SameKernelTwiceIsNeverConfirmedAndNeverRegressed) {
    for (double benefit : {-1.0, -0.01, 0.0, 0.01, 1.0}) {
        for (std::uint64_t after : {0, 10'000, 30'000}) {
            VerdictInput input = good_patch();
            input.same_kernel = true;
            input.mechanism = {flushes(10'000, after)};
            input.mechanism[0].least_effect = 0.05;
            input.benefits[0].comparison = shifted(benefit);
            const Outcome outcome = outcome_of(input);
            const bool still = std::abs(benefit) < 0.005 && after == 10'000;
            EXPECT_EQ(outcome, still ? Outcome::kNoEffect : Outcome::kUndecided) << benefit;
            EXPECT_TRUE(has_reason(*decide(input), "the same kernel twice"));
        }
    }
}

TEST(Verdict, PatchThatWasThereBeforeIsNotConfirmed) {
    for (auto [before, after] : {std::pair(Evidence::kPresent, Evidence::kPresent),
                                 std::pair(Evidence::kAbsent, Evidence::kAbsent),
                                 std::pair(Evidence::kPresent, Evidence::kAbsent)}) {
        VerdictInput input = good_patch();
        input.before = before;
        input.after = after;
        EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
        EXPECT_TRUE(has_reason(*decide(input), "does not say that the patch came between"));
    }
}

TEST(Verdict, WhatAPatchThatIsNotThereDidIsNeitherARegressionNorNothing) {
    for (auto [before, after] : {std::pair(Evidence::kPresent, Evidence::kAbsent),
                                 std::pair(Evidence::kAbsent, Evidence::kAbsent)}) {
        VerdictInput input = good_patch();
        input.before = before;
        input.after = after;
        input.mechanism = {flushes(10'000, 20'000)};
        EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
        input.mechanism = {flushes(10'000, 10'000)};
        input.mechanism[0].least_effect = 0.05;
        input.benefits[0].comparison = shifted(0);
        EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
        EXPECT_FALSE(decide(input)->boots_needed);
    }
}

TEST(Verdict, AMachineThatGotSlowerIsNoRegression) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison = shifted(-0.1);
    input.controls[0].comparison = shifted(-0.3);
    EXPECT_EQ(outcome_of(input), Outcome::kUndecided);
    EXPECT_TRUE(has_reason(*decide(input), "a control moved"));
    input.mechanism = {flushes(10'000, 20'000)};
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
}

TEST(Verdict, SeveralBenefitsShareTheLevel) {
    VerdictInput input = good_patch();
    input.benefits.push_back({"uprobe-nop", shifted(0), "", true, 2.2});
    input.benefits.push_back({"lost", std::nullopt, "boot 2 has no value of it", true, 2.2});
    const auto verdict = decide(input);
    EXPECT_EQ(verdict->outcome, Outcome::kConfirmed);
    EXPECT_DOUBLE_EQ(verdict->benefits[0].comparison->alpha, 0.05 / 3 / 2);
    EXPECT_DOUBLE_EQ(verdict->benefits[1].comparison->alpha, 0.05 / 3);
    EXPECT_TRUE(has_reason(*verdict, "lost: not judged: boot 2 has no value of it"));
    input.benefits[1].comparison = shifted(-0.1);
    EXPECT_EQ(outcome_of(input), Outcome::kRegressed);
}

TEST(Verdict, MissingMetricIsMechanismOnly) {
    VerdictInput input = good_patch();
    input.benefits[0].comparison.reset();
    input.benefits[0].missing = "boot 1 has no value of it";
    EXPECT_EQ(outcome_of(input), Outcome::kMechanismOnly);
    EXPECT_TRUE(has_reason(*decide(input), "boot 1 has no value of it"));
}

TEST(Verdict, AFourthLookIsRefused) {
    VerdictInput input = good_patch();
    input.look = 3;
    EXPECT_TRUE(decide(input));
    input.look = 4;
    EXPECT_FALSE(decide(input));
}

}  // namespace
}  // namespace kcost
