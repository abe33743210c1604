#include "analyse/drift.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kcost {
namespace {

std::vector<TimedValue> each_minute(const std::vector<double>& values) {
    std::vector<TimedValue> timed;
    for (double value : values) timed.push_back({60.0 * static_cast<double>(timed.size()), value});
    return timed;
}

TEST(Drift, RisingValues) {
    const auto drift = find_drift(each_minute({100, 101, 102, 103, 104}), 0.05);
    ASSERT_TRUE(drift);
    EXPECT_EQ(drift->tau, 1);
    EXPECT_TRUE(drift->exact);
    EXPECT_NEAR(drift->p, 2.0 / 120, 1e-12);
    EXPECT_NEAR(drift->per_hour.value, 60.0 / 102, 1e-12);
    EXPECT_NEAR(drift->session_h, 4.0 / 60, 1e-12);
    EXPECT_GT(drift->per_hour.low, 0);
}

TEST(Drift, NoTrendAndOneOutlier) {
    const auto flat = find_drift(each_minute({5, 3, 4, 6, 2, 5.5, 3.5, 4.5}), 0.05);
    EXPECT_GT(flat->p, 0.5);
    EXPECT_LT(flat->per_hour.low, 0);
    EXPECT_GT(flat->per_hour.high, 0);
    const auto outlier = find_drift(each_minute({1, 1.01, 1.02, 900, 1.04, 1.05, 1.06}), 0.05);
    EXPECT_LT(outlier->p, 0.05);
    EXPECT_NEAR(outlier->per_hour.value, 0.01 * 60 / 1.04, 0.02);
}

// Kendall's table: of 10 values a score of 23 or more has a probability of 0.023.
TEST(Drift, ExactForSmallNumbers) {
    const auto drift = find_drift(each_minute({2, 1, 4, 3, 6, 5, 8, 7, 12, 11}), 0.05);
    EXPECT_NEAR(drift->tau, 35.0 / 45, 1e-12);
    EXPECT_NEAR(drift->p, 0.0009, 0.0001);
}

TEST(Drift, TiesAndManyValuesAreNormal) {
    const auto same = find_drift(each_minute({7, 7, 7, 7, 7, 7}), 0.05);
    EXPECT_FALSE(same->exact);
    EXPECT_EQ(same->p, 1);
    EXPECT_EQ(same->per_hour.low, 0);
    EXPECT_EQ(same->per_hour.high, 0);
    // By hand: a score of 14 less 1 for continuity, and a variance of (510 - 18) / 18.
    const auto tied = find_drift(each_minute({1, 1, 2, 3, 4, 5}), 0.05);
    EXPECT_NEAR(tied->p, 0.0129, 0.0001);
    std::vector<double> many;
    for (int i = 0; i < 100; i++) many.push_back(100 + i * 0.01 + (i * 37 % 100) * 0.001);
    const auto drift = find_drift(each_minute(many), 0.05);
    EXPECT_FALSE(drift->exact);
    EXPECT_LT(drift->p, 1e-6);
    EXPECT_LT(drift->per_hour.low, 0.6 / 100.5);
    EXPECT_GT(drift->per_hour.high, 0.59 / 100.5);
}

// Both ways of saying it agree.
TEST(Drift, SlopeLeavesZeroOutWhereTheTestSaysDrift) {
    const std::vector<double> base = {5, 3, 4, 6, 2, 5.5, 3.5, 4.5, 4.2};
    for (int step = 0; step < 30; step++) {
        std::vector<double> values;
        for (std::size_t i = 0; i < base.size(); i++)
            values.push_back(base[i] + 0.05 * step * static_cast<double>(i));
        const auto drift = find_drift(each_minute(values), 0.05);
        if (!drift->exact) continue;  // ties
        EXPECT_EQ(drift->p <= 0.05, drift->per_hour.low > 0) << step << " p " << drift->p;
    }
}

TEST(Drift, Refusals) {
    EXPECT_FALSE(find_drift(each_minute({1, 2, 3, 4}), 0.05));
    EXPECT_FALSE(find_drift(each_minute({1, 2, 3, 4, 0}), 0.05));
    EXPECT_FALSE(find_drift(each_minute({1, 2, 3, 4, std::nan("")}), 0.05));
    EXPECT_FALSE(find_drift({{0, 1}, {1, 1}, {1, 1}, {2, 1}, {3, 1}}, 0.05));
}

}  // namespace
}  // namespace kcost
