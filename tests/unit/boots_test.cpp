#include "analyse/boots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kcost {
namespace {

TEST(Boots, EachIsOneUnitOfItsArithmeticMean) {
    const auto units = make_units({{"a", {1, 3}}, {"b", {5}}}, "rate");
    ASSERT_TRUE(units);
    ASSERT_EQ(units->log_means.size(), 2u);
    EXPECT_DOUBLE_EQ(units->log_means[0], std::log(2));
    EXPECT_DOUBLE_EQ(units->log_means[1], std::log(5));
    EXPECT_EQ(units->weights, (std::vector<double>{0.5, 1}));
    EXPECT_EQ(units->repetition_df, 1);
    EXPECT_DOUBLE_EQ(units->repetition_variance, std::log(3) * std::log(3) / 2);
}

TEST(Boots, SessionsOfOneBootAreOneUnit) {
    const std::vector<Boot> sessions = {{"a", {1}}, {"b", {2}}, {"a", {3}}, {"", {4}}, {"", {5}}};
    const auto boots = join_sessions(sessions);
    ASSERT_EQ(boots.size(), 4u);
    EXPECT_EQ(boots[0].values, (std::vector<double>{1, 3}));
    EXPECT_EQ(make_units(sessions, "rate")->log_means.size(), 4u);
}

TEST(Boots, WhatIsNoFigureIsRefusedByName) {
    const double nan = std::nan("");
    const double infinity = std::numeric_limits<double>::infinity();
    for (double value : {0.0, -1.0, nan, infinity}) {
        const auto units = make_units({{"a", {1}}, {"b", {1, value}}}, "rate");
        ASSERT_FALSE(units);
        EXPECT_NE(units.error().what.find("rate: boot 2 has"), std::string::npos);
        EXPECT_NE(units.error().what.find("repetition 2"), std::string::npos);
    }
    EXPECT_EQ(make_units({{"a", {}}}, "rate").error().what,
              "cannot compare rate: boot 1 has no value of it");
    EXPECT_EQ(make_units({}, "rate").error().what, "cannot compare rate: no boot has it");
    EXPECT_FALSE(make_units({{"a", {1e308, 1e308}}}, "rate"));
}

TEST(Boots, RelativeToTheControlOfTheSameBoot) {
    const std::vector<Boot> rate = {{"a", {2, 2}}, {"b", {6, 6}}};
    const auto units = make_relative_units(rate, {{"b", {3}}, {"a", {1}}}, "rate");
    ASSERT_TRUE(units);
    EXPECT_DOUBLE_EQ(units->log_means[0], std::log(2));
    EXPECT_DOUBLE_EQ(units->log_means[1], std::log(2));
    EXPECT_EQ(units->weights, (std::vector<double>{1, 1}));
    EXPECT_EQ(units->repetition_df, 0);
    for (const auto& control : {std::vector<Boot>{{"a", {1}}}, {{"a", {1}}, {"c", {1}}}})
        EXPECT_EQ(make_relative_units(rate, control, "rate").error().what,
                  "cannot compare rate with its control: not measured in the same boots");
    EXPECT_FALSE(make_relative_units({{"", {1}}}, {{"", {1}}}, "rate"));
    EXPECT_FALSE(make_relative_units(rate, {{"b", {0}}, {"a", {1}}}, "rate"));
}

TEST(Boots, VarianceOfRoundingIsNone) {
    EXPECT_EQ(variance_of({}), 0);
    EXPECT_EQ(variance_of({7}), 0);
    EXPECT_DOUBLE_EQ(variance_of({1, 2, 3}), 1);
    EXPECT_EQ(variance_of({0.1 + 0.2, 0.3, 0.3}), 0);
}

}  // namespace
}  // namespace kcost
