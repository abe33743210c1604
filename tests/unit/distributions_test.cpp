#include "analyse/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kcost::distributions {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Against printed tables.
TEST(Distributions, Tables) {
    EXPECT_NEAR(t_quantile(0.975, 1), 12.7062, 1e-4);
    EXPECT_NEAR(t_quantile(0.975, 10), 2.228139, 1e-6);
    EXPECT_NEAR(t_quantile(0.975, kInfinity), 1.959964, 1e-6);
    EXPECT_NEAR(normal_quantile(0.99), 2.326348, 1e-6);
    EXPECT_NEAR(chi_squared_quantile(0.975, 20), 34.16961, 1e-5);
    EXPECT_NEAR(beta_below(0.5, 3, 3), 0.5, 1e-12);
    EXPECT_NEAR(beta_quantile(0.025, 5, 6), 0.1870860, 1e-7);
}

TEST(Distributions, TwoSidedPIsBothTails) {
    EXPECT_NEAR(t_two_sided_p(2.228139, 10), 0.05, 1e-6);
    EXPECT_NEAR(t_two_sided_p(-2.228139, 10), 0.05, 1e-6);
    EXPECT_NEAR(t_two_sided_p(1.959964, kInfinity), 0.05, 1e-6);
    EXPECT_EQ(t_two_sided_p(kInfinity, 3), 0);
    EXPECT_EQ(t_two_sided_p(0, 3), 1);
    EXPECT_NEAR(normal_two_sided_p(1.959964), 0.05, 1e-6);
}

// The power of a two-sample t test with 17 a side and an effect of one sd: 0.807.
TEST(Distributions, NoncentralT) {
    const double shift = 1 / std::sqrt(2 / 17.0);
    EXPECT_NEAR(noncentral_t_above(t_quantile(0.975, 32), 32, shift), 0.8070, 1e-4);
    EXPECT_NEAR(noncentral_t_above(2, 8, 0), t_two_sided_p(2, 8) / 2, 1e-9);
    EXPECT_NEAR(noncentral_t_above(2, 1e12, 1), normal_two_sided_p(1) / 2, 1e-9);
    EXPECT_EQ(noncentral_t_above(3, 4, 1e6), 1);
    for (double df : {4.0, 8.0, 40.0})
        for (double x : {1.0, 3.0, 6.0})
            for (double at = 0; at < 12; at += 0.5)
                EXPECT_NEAR(noncentral_t_above_roughly(x, df, at), noncentral_t_above(x, df, at),
                            0.02);
    for (double shift_far : {20.0, 36.0, 60.0, 100.0, 200.0})
        EXPECT_NEAR(noncentral_t_above(4, 10, shift_far), 1, 1e-6) << shift_far;
}

}  // namespace
}  // namespace kcost::distributions
