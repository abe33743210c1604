#include "analyse/rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kcost {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Garwood's table.
TEST(Rates, PoissonIntervals) {
    const auto ten = rate({10, 1}, 0.05);
    EXPECT_NEAR(ten->low, 4.795389, 1e-6);
    EXPECT_NEAR(ten->high, 18.39036, 1e-5);
    const auto none = rate({0, 1000}, 0.05);
    EXPECT_EQ(none->value, 0);
    EXPECT_EQ(none->low, 0);
    EXPECT_NEAR(none->high, 3.688879e-3, 1e-9);
    const auto many = rate({10'000'000'000, 1e10}, 0.05);
    EXPECT_NEAR(many->low, 1 - 1.96e-5, 1e-7);
    EXPECT_NEAR(many->high, 1 + 1.96e-5, 1e-7);
    EXPECT_FALSE(rate({5, 0}, 0.05));
    EXPECT_FALSE(rate({5, std::nan("")}, 0.05));
}

TEST(Rates, Proportions) {
    EXPECT_NEAR(proportion(5, 10, 0.05)->low, 0.1870860, 1e-6);
    EXPECT_NEAR(proportion(5, 10, 0.05)->high, 0.8129140, 1e-6);
    EXPECT_EQ(proportion(0, 10, 0.05)->low, 0);
    EXPECT_NEAR(proportion(0, 10, 0.05)->high, 0.3084971, 1e-6);
    EXPECT_EQ(proportion(10, 10, 0.05)->high, 1);
    EXPECT_FALSE(proportion(0, 0, 0.05));
    EXPECT_FALSE(proportion(2, 1, 0.05));
}

TEST(Rates, RatioDecidesAsItsInterval) {
    for (std::uint64_t after : {0, 1, 5, 20, 29, 30, 31, 40, 60, 100}) {
        const auto ratio = rate_ratio({30, 1000}, {after, 1000}, 0.05);
        EXPECT_EQ(excludes_one(ratio->ratio), ratio->p < 0.05) << after;
        EXPECT_NEAR(ratio->ratio.value, static_cast<double>(after) / 30, 1e-12);
        EXPECT_LE(ratio->ratio.low, ratio->ratio.value);
        EXPECT_GE(ratio->ratio.high, ratio->ratio.value);
    }
    EXPECT_EQ(rate_ratio({30, 1000}, {30, 1000}, 0.05)->p, 1);
    EXPECT_NEAR(rate_ratio({30, 1000}, {60, 2000}, 0.05)->ratio.value, 1, 1e-12);
}

TEST(Rates, RatioWithZeroCounts) {
    const auto gone = rate_ratio({10'000, 10'000}, {0, 10'000}, 0.05);
    EXPECT_EQ(gone->ratio.value, 0);
    EXPECT_EQ(gone->ratio.low, 0);
    EXPECT_NEAR(gone->ratio.high, 3.69e-4, 1e-6);
    EXPECT_LT(gone->p, 1e-9);
    const auto came = rate_ratio({0, 10'000}, {10'000, 10'000}, 0.05);
    EXPECT_EQ(came->ratio.value, kInfinity);
    EXPECT_EQ(came->ratio.high, kInfinity);
    EXPECT_GT(came->ratio.low, 2000);
    const auto never = rate_ratio({0, 10}, {0, 10}, 0.05);
    EXPECT_EQ(never->ratio.value, 1);
    EXPECT_EQ(never->ratio.low, 0);
    EXPECT_EQ(never->ratio.high, kInfinity);
    EXPECT_EQ(never->p, 1);
    EXPECT_FALSE(rate_ratio({1, 0}, {1, 1}, 0.05));
}

TEST(Rates, RatioOfGreatCounts) {
    const auto ratio = rate_ratio({2'000'000'000, 1e9}, {2'000'200'000, 1e9}, 0.05);
    EXPECT_NEAR(ratio->ratio.low, 1.0001 - 1.96 * std::sqrt(1e-9), 1e-7);
    EXPECT_NEAR(ratio->ratio.high, 1.0001 + 1.96 * std::sqrt(1e-9), 1e-7);
    EXPECT_NEAR(ratio->p, 0.00157, 1e-4);  // z = 3.162
}

}  // namespace
}  // namespace kcost
