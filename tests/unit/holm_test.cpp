#include "analyse/holm.h"

#include <gtest/gtest.h>

#include "boots.h"

namespace kcost {
namespace {

// The usual example: 0.01, 0.04, 0.03, 0.005 at 5% rejects the first and the last.
TEST(Holm, StepsDownToTheFirstThatStands) {
    const auto steps = holm({0.01, 0.04, 0.03, 0.005}, 0.05);
    EXPECT_TRUE(steps[0].rejected);
    EXPECT_FALSE(steps[1].rejected);
    EXPECT_FALSE(steps[2].rejected);
    EXPECT_TRUE(steps[3].rejected);
    EXPECT_DOUBLE_EQ(steps[3].alpha, 0.05 / 4);
    EXPECT_DOUBLE_EQ(steps[0].alpha, 0.05 / 3);
    EXPECT_DOUBLE_EQ(steps[2].alpha, 0.05 / 2);
    EXPECT_DOUBLE_EQ(steps[1].alpha, 0.05 / 2);  // not at its own 5%, which it would pass
    EXPECT_DOUBLE_EQ(steps[3].adjusted_p, 0.02);
    EXPECT_DOUBLE_EQ(steps[0].adjusted_p, 0.03);
    EXPECT_DOUBLE_EQ(steps[2].adjusted_p, 0.06);
    EXPECT_DOUBLE_EQ(steps[1].adjusted_p, 0.06);
}

TEST(Holm, OneIsDecidedAtTheWholeLevelAndNoneIsNothing) {
    EXPECT_TRUE(holm({0.049}, 0.05)[0].rejected);
    EXPECT_FALSE(holm({0.05}, 0.05)[0].rejected);
    EXPECT_TRUE(holm({}, 0.05).empty());
    EXPECT_EQ(holm({1, 1}, 0.05)[1].adjusted_p, 1);
}

TEST(Holm, IntervalsExcludeOneWhereItRejects) {
    std::vector<Comparison> comparisons = {
        test::comparison_of({0, 0.01, 0.02, 0.01}, {0.03, 0.02, 0.04, 0.03}),
        test::comparison_of({0, 0.01, 0.02, 0.01}, {0.02, 0.01, 0.03, 0.03}),
        test::comparison_of({0, 0.01, 0.02, 0.01}, {0.5, 0.51, 0.52, 0.51}),
    };
    std::vector<double> p;
    for (const auto& comparison : comparisons) p.push_back(comparison.p);
    const auto steps = holm(p, 0.05);
    apply_holm(comparisons, 0.05);
    for (std::size_t i = 0; i < comparisons.size(); i++) {
        EXPECT_EQ(differs(comparisons[i]), steps[i].rejected) << i;
        EXPECT_EQ(comparisons[i].alpha, steps[i].alpha);
    }
    EXPECT_TRUE(differs(comparisons[2]));
    EXPECT_FALSE(differs(comparisons[1]));
}

}  // namespace
}  // namespace kcost
