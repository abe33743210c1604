#include "analyse/looks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "boots.h"

namespace kcost {
namespace {

TEST(Looks, ThreeShareTheLevelAndAFourthIsRefused) {
    for (unsigned look : {1u, 2u, 3u}) EXPECT_DOUBLE_EQ(*level_of_look(look), 0.05 / 3);
    EXPECT_FALSE(level_of_look(0));
    EXPECT_FALSE(level_of_look(4));
    EXPECT_NE(level_of_look(4).error().what.find("they have 3 looks"), std::string::npos);
}

TEST(Looks, PrecisionIsBelievedFromTenValuesOn) {
    const std::vector<double> nine(9, 5.0);
    const std::vector<double> ten(10, 5.0);
    EXPECT_FALSE(precise_enough(nine, 0.01));
    EXPECT_TRUE(precise_enough(ten, 0.01));
    EXPECT_FALSE(precise_enough(std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 0.5));
    EXPECT_FALSE(precise_enough(std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1, 1, std::nan("")}, 0.5));
}

// sd 0.01 of ten values: 2.262 × 0.01 / √10 = 0.715%.
TEST(Looks, PrecisionIsTheHalfWidth) {
    std::vector<double> values;
    for (int i = 0; i < 10; i++)
        values.push_back(std::exp((i % 2 ? 1 : -1) * 0.01 * std::sqrt(0.9)));
    EXPECT_TRUE(precise_enough(values, 0.0072));
    EXPECT_FALSE(precise_enough(values, 0.0071));
}

TEST(Looks, PrecisionOfARatioLooksAtTheWidthOnly) {
    std::vector<double> logs;
    std::vector<double> far;
    for (int i = 0; i < 10; i++) {
        logs.push_back(i % 2 ? 0.01 : -0.01);
        far.push_back(logs.back() + 3);
    }
    for (const auto& after : {logs, far}) {
        EXPECT_TRUE(precise_enough(test::comparison_of(logs, after), 0.011));
        EXPECT_FALSE(precise_enough(test::comparison_of(logs, after), 0.009));
    }
    logs.pop_back();
    EXPECT_FALSE(precise_enough(test::comparison_of(logs, far), 1));
}

}  // namespace
}  // namespace kcost
