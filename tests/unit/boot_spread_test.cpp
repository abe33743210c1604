#include "analyse/boot_spread.h"

#include <gtest/gtest.h>

#include <cmath>

#include "boots.h"

namespace kcost {
namespace {

// Small numbers, so that the log of a mean is the mean of logs.
std::vector<Boot> small(std::vector<std::vector<double>> logs) {
    for (auto& row : logs)
        for (double& log : row) log *= 1e-5;
    return test::boots_of_logs(logs);
}

// By hand: mean squares 32 between, 2 within.
TEST(BootSpread, BalancedComponents) {
    const auto parts = variance_components(small({{0, 2}, {4, 6}, {8, 10}}));
    ASSERT_TRUE(parts);
    EXPECT_NEAR(parts->repetition_sd * 1e5, std::sqrt(2), 1e-3);
    EXPECT_NEAR(parts->boot_sd * 1e5, std::sqrt(15), 1e-3);
    EXPECT_NEAR(parts->boot_mean_sd * 1e5, 4, 1e-3);
    EXPECT_DOUBLE_EQ(parts->repetitions, 2);
    EXPECT_EQ(parts->boots, 3u);
    EXPECT_EQ(parts->repetition_df, 3);
    EXPECT_FALSE(parts->boot_negative);
}

// By hand: n0 = (6 - 14/6) / 2, means 1, 5 and 9 of 1, 2 and 3 values, mean square within 8/3.
TEST(BootSpread, UnequalRepetitions) {
    const auto parts = variance_components(small({{1}, {4, 6}, {7, 9, 11}}));
    ASSERT_TRUE(parts);
    const double n0 = (6 - 14.0 / 6) / 2;
    const double mean = (1 + 10 + 27) / 6.0;
    const double between =
        ((1 - mean) * (1 - mean) + 2 * (5 - mean) * (5 - mean) + 3 * (9 - mean) * (9 - mean)) / 2;
    const double within = (2.0 + 8.0) / 3;
    EXPECT_DOUBLE_EQ(parts->repetitions, n0);
    EXPECT_NEAR(parts->boot_sd * 1e5, std::sqrt((between - within) / n0), 1e-3);
}

TEST(BootSpread, ANegativeEstimateIsZeroAndSaid) {
    const auto parts = variance_components(small({{0, 10}, {1, 9}, {2, 8}}));
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->boot_sd, 0);
    EXPECT_TRUE(parts->boot_negative);
    EXPECT_GT(spread_of(*parts, 4).sd, 0);
}

TEST(BootSpread, OfABootsFigure) {
    const VarianceComponents parts{.boot_sd = 0.003,
                                   .repetition_sd = 0.008,
                                   .boot_mean_sd = 0.005,
                                   .boots = 10,
                                   .repetitions = 4,
                                   .repetition_df = 30};
    EXPECT_DOUBLE_EQ(spread_of(parts, 4).sd, 0.005);
    EXPECT_NEAR(spread_of(parts, 1e12).sd, 0.003, 1e-9);
    EXPECT_EQ(spread_of(parts, 4).df, 9);
    EXPECT_FALSE(spread_of(parts, 4).assumed);
    EXPECT_EQ(spread_for_few(parts).sd, 0.005);
    EXPECT_TRUE(BootSpread{}.assumed);
}

TEST(BootSpread, Refusals) {
    EXPECT_FALSE(variance_components(small({{1, 2}, {3, 4}})));
    EXPECT_FALSE(variance_components(small({{1}, {2}, {3}})));
    EXPECT_FALSE(variance_components({{"", {1, 1}}, {"", {1, 0}}, {"", {1, 1}}}));
    const auto same = variance_components(small({{1, 1}, {1, 1}, {1, 1}}));
    ASSERT_TRUE(same);
    EXPECT_EQ(same->boot_sd, 0);
    EXPECT_EQ(same->repetition_sd, 0);
}

}  // namespace
}  // namespace kcost
