#include "analyse/equivalence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "boots.h"

namespace kcost {
namespace {

using Outcome = Equivalence::Outcome;

Equivalence of(double shift, double spread) {
    const std::vector<double> before = {0, spread, -spread, 0, spread, -spread};
    std::vector<double> after;
    for (double value : before) after.push_back(value + shift);
    return equivalence(test::comparison_of(before, after), equivalence_margin({}));
}

TEST(Equivalence, MarginIsTwoPercentOrAFifthOfTheClaim) {
    EXPECT_DOUBLE_EQ(equivalence_margin({}), 1.02);
    EXPECT_DOUBLE_EQ(equivalence_margin(1.01), 1.02);
    EXPECT_NEAR(equivalence_margin(2.2), std::pow(2.2, 0.2), 1e-12);
    EXPECT_NEAR(equivalence_margin(1 / 2.2), std::pow(2.2, 0.2), 1e-12);
    for (double nonsense : {0.0, -1.0, std::nan("")})
        EXPECT_DOUBLE_EQ(equivalence_margin(nonsense), 1.02);
}

TEST(Equivalence, IsAnIntervalWithinTheMarginAndNotAMissingDifference) {
    EXPECT_EQ(of(0, 0.002).outcome, Outcome::kEquivalent);
    EXPECT_EQ(of(0.01, 0.002).outcome, Outcome::kEquivalent);  // it moved, and no matter
    EXPECT_EQ(of(0.03, 0.002).outcome, Outcome::kMoved);
    EXPECT_EQ(of(-0.03, 0.002).outcome, Outcome::kMoved);
    EXPECT_EQ(of(0, 0.1).outcome, Outcome::kCannotTell);
    EXPECT_NEAR(of(0.01, 0.002).ratio.value, std::exp(0.01), 1e-12);
}

TEST(Equivalence, IntervalIsOfNinetyPercent) {
    const auto comparison = test::comparison_of({0, 0.1, 0.2}, {0, 0.1, 0.2});
    EXPECT_NEAR(std::log(equivalence(comparison, 1.02).ratio.high),
                2.131847 * comparison.standard_error, 1e-6);
}

}  // namespace
}  // namespace kcost
