#include "analyse/permutation.h"

#include <gtest/gtest.h>

namespace kcost {
namespace {

TEST(Permutation, ThreeAgainstThreeShowATenthAtLeast) {
    const auto apart = permutation_test({1, 2, 3}, {11, 12, 13});
    ASSERT_TRUE(apart);
    EXPECT_TRUE(apart->exact);
    EXPECT_EQ(apart->deals, 20u);
    EXPECT_DOUBLE_EQ(apart->p, 0.1);
    EXPECT_DOUBLE_EQ(apart->least_p, 0.1);
}

TEST(Permutation, UnequalSidesHaveNoMirror) {
    const auto apart = permutation_test({1, 2}, {11, 12, 13, 14.5});
    ASSERT_TRUE(apart);
    EXPECT_EQ(apart->deals, 15u);
    EXPECT_DOUBLE_EQ(apart->p, 1.0 / 15);
    EXPECT_DOUBLE_EQ(apart->least_p, 1.0 / 15);
}

TEST(Permutation, NothingFromFewerThanSixUnits) {
    EXPECT_FALSE(permutation_test({1, 2}, {3, 4, 5}));
    EXPECT_FALSE(permutation_test({1}, {3, 4, 5, 6, 7}));
    EXPECT_FALSE(permutation_test({}, {}));
}

TEST(Permutation, IdenticalValuesDoNotDiffer) {
    EXPECT_EQ(permutation_test({1, 1, 1}, {1, 1, 1})->p, 1);
    EXPECT_DOUBLE_EQ(permutation_test({1, 1, 1}, {2, 2, 2})->p, 0.1);
}

TEST(Permutation, ManyDealsAreDrawnAndRepeatable) {
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < 12; i++) {
        before.push_back(i);
        after.push_back(i + 5.0);
    }
    const auto first = permutation_test(before, after, 7);
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->exact);
    EXPECT_EQ(first->p, permutation_test(before, after, 7)->p);
    EXPECT_NEAR(first->p, 0.0025, 0.0015);  // Welch's t says 0.0026
    EXPECT_NEAR(permutation_test(before, before, 7)->p, 1, 1e-9);
}

}  // namespace
}  // namespace kcost
