#include "analyse/boots_needed.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kcost {
namespace {

constexpr double kKnown = 1e9;

// The textbook's two-sample t test at 5% and 80%: 17 a side for one sd, 64 for half of one.
TEST(BootsNeeded, TextbookNumbers) {
    const BootSpread spread{.sd = 0.5, .df = kKnown, .assumed = false};
    EXPECT_EQ(boots_needed(spread, {.ratio = std::exp(0.5), .alpha = 0.05, .power = 0.8}), 17u);
    EXPECT_EQ(boots_needed(spread, {.ratio = std::exp(0.25), .alpha = 0.05, .power = 0.8}), 64u);
    EXPECT_EQ(boots_needed(spread, {.ratio = std::exp(-0.25), .alpha = 0.05, .power = 0.8}), 64u);
}

// Against 100,000 simulated comparisons each, at 5% and with effects of 5, 2.5 and 1.5 sd.
TEST(BootsNeeded, PowerIsThatOfTheTest) {
    const BootSpread one{.sd = 1, .df = kKnown, .assumed = false};
    EXPECT_NEAR(power_of(one, 3, {.ratio = std::exp(5), .alpha = 0.05}), 0.9703, 0.003);
    EXPECT_NEAR(power_of(one, 5, {.ratio = std::exp(2.5), .alpha = 0.05}), 0.9204, 0.003);
    EXPECT_NEAR(power_of(one, 10, {.ratio = std::exp(1.5), .alpha = 0.05}), 0.8826, 0.003);
}

TEST(BootsNeeded, IsTheFewestWithThePower) {
    const Goal goal;
    const BootSpread spread{.sd = 0.01, .df = 9, .assumed = false};
    const std::size_t boots = *boots_needed(spread, goal);
    EXPECT_GE(power_of(spread, boots, goal), goal.power);
    EXPECT_LT(power_of(spread, boots - 1, goal), goal.power);
}

TEST(BootsNeeded, AnUncertainSpreadAsksForMore) {
    std::size_t last = 0;
    for (double df : {kKnown, 20.0, 9.0, 4.0, 2.0}) {
        const std::size_t boots = *boots_needed({.sd = 0.01, .df = df, .assumed = false}, {});
        EXPECT_GT(boots, last) << df;
        last = boots;
    }
}

TEST(BootsNeeded, LimitsAreSaid) {
    EXPECT_EQ(boots_needed({}, {.ratio = 2}), 3u);
    EXPECT_EQ(boots_needed({.sd = 0, .df = 9, .assumed = false}, {}), 3u);
    EXPECT_EQ(power_of({.sd = 0, .df = 9, .assumed = false}, 3, {}), 1);
    EXPECT_FALSE(boots_needed({}, {.ratio = 1.001}));
    EXPECT_FALSE(boots_needed({}, {.ratio = 1}));
    EXPECT_FALSE(boots_needed({}, {.ratio = 0}));
    EXPECT_FALSE(boots_needed({}, {.ratio = std::nan("")}));
}

TEST(BootsNeeded, EquivalenceAsksForFewerWithAWiderMargin) {
    const BootSpread spread{.sd = 0.01, .df = 9, .assumed = false};
    EXPECT_LT(boots_for_equivalence(spread, 1.1), boots_for_equivalence(spread, 1.02));
}

TEST(BootsNeeded, ResolutionsOfAMachine) {
    const VarianceComponents parts{.boot_sd = 0.003,
                                   .repetition_sd = 0.008,
                                   .boot_mean_sd = 0.005,
                                   .boots = 10,
                                   .repetitions = 4,
                                   .repetition_df = 30};
    const auto all = resolutions(parts, 4);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].effect, 0.003);
    EXPECT_GT(*all[0].boots, 60u);
    EXPECT_NEAR(static_cast<double>(*all[1].boots), 9, 1);
    EXPECT_EQ(all[2].boots, 3u);
}

}  // namespace
}  // namespace kcost
