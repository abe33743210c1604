#include "analyse/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "boots.h"

namespace kcost {
namespace {

using test::boots_of_logs;
using test::comparison_of;

Comparison compare_rows(const std::vector<std::vector<double>>& before,
                        const std::vector<std::vector<double>>& after, const BootSpread& few = {}) {
    return *compare(*make_units(boots_of_logs(before), "figure"),
                    *make_units(boots_of_logs(after), "figure"), few);
}

// What decides and what is shown must be one thing, at any level.
void expect_one_method(const Comparison& comparison) {
    EXPECT_TRUE(comparison.p >= 0 && comparison.p <= 1);
    EXPECT_FALSE(std::isnan(comparison.ratio.value));
    EXPECT_FALSE(std::isnan(comparison.ratio.low) || std::isnan(comparison.ratio.high));
    for (double alpha : {0.001, 0.05 / 3, 0.05, 0.5}) {
        const Comparison leveled = at_level(comparison, alpha);
        EXPECT_EQ(differs(leveled), leveled.p < alpha) << alpha << " p " << leveled.p;
    }
}

// The examples of Rosetta Code's "Welch's t-test".
TEST(Compare, PublishedExamples) {
    const auto first = comparison_of(
        {27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4},
        {27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4});
    EXPECT_NEAR(first.p, 0.021378001462867, 1e-9);
    const auto few = comparison_of({3.0, 4.0, 1.0, 2.1}, {490.2, 340.0, 433.9});
    EXPECT_NEAR(few.p, 0.010751561149784, 1e-9);
    EXPECT_FALSE(few.few_boots);
    const auto equal_n = comparison_of({30.02, 29.99, 30.11, 29.97, 30.01, 29.99},
                                       {29.89, 29.93, 29.72, 29.98, 30.02, 29.98});
    EXPECT_NEAR(equal_n.p, 0.090773324285671, 1e-9);
    for (const Comparison& comparison : {first, equal_n}) expect_one_method(comparison);
}

TEST(Compare, RatioIsOfGeometricMeans) {
    const auto doubled = comparison_of({0.0, 0.1, 0.2}, {0.7, 0.8, 0.9});
    EXPECT_NEAR(doubled.ratio.value, std::exp(0.7), 1e-12);
    EXPECT_NEAR(doubled.standard_error, 0.1 * std::sqrt(2 / 3.0), 1e-12);
    EXPECT_NEAR(doubled.df, 4, 1e-9);
    EXPECT_NEAR(doubled.spread.sd, 0.1, 1e-12);
    EXPECT_NEAR(std::log(doubled.ratio.high / doubled.ratio.value),
                2.776445 * doubled.standard_error, 1e-6);
}

TEST(Compare, OneBootASideCanShowADoublingOnly) {
    const std::vector<double> steady = {0, 0.001, -0.001, 0.001, -0.001};
    const auto shifted = [&](double by) {
        std::vector<double> values;
        for (double value : steady) values.push_back(value + by);
        return at_level(compare_rows({steady}, {values}), kAlpha / 3);
    };
    EXPECT_TRUE(shifted(0).few_boots);
    EXPECT_FALSE(differs(shifted(std::log(1.003))));
    EXPECT_FALSE(differs(shifted(std::log(1.02))));
    EXPECT_TRUE(differs(shifted(std::log(2))));
    EXPECT_TRUE(differs(shifted(std::log(0.5))));
    // Nearly all of the variance is the assumed spread's, which is worth two degrees of freedom.
    EXPECT_NEAR(shifted(0).df, 2, 0.01);
    EXPECT_NEAR(shifted(0).standard_error, 0.02 * std::sqrt(2), 1e-4);
    expect_one_method(shifted(0.02));
}

TEST(Compare, ASpreadFromAnAaNarrowsFewBoots) {
    const std::vector<std::vector<double>> before = {{0, 0.001}, {0.001, 0.002}};
    const std::vector<std::vector<double>> after = {{0.02, 0.021}, {0.021, 0.022}};
    EXPECT_FALSE(differs(compare_rows(before, after)));
    const auto known = compare_rows(before, after, {.sd = 0.002, .df = 9, .assumed = false});
    EXPECT_TRUE(known.few_boots);
    EXPECT_TRUE(differs(known));
    EXPECT_FALSE(known.spread.assumed);
}

TEST(Compare, TwoBootsThatLieFarApartAreBelieved) {
    const auto apart = compare_rows({{0, 0.001}, {0.5, 0.501}}, {{0.7, 0.701}, {0.7, 0.701}});
    EXPECT_GT(apart.standard_error, 0.24);
    EXPECT_FALSE(differs(apart));
}

TEST(Compare, UnequalBootsAndRepetitions) {
    const auto comparison = compare_rows({{0, 0.01}, {0.02}, {0, 0.01, 0.02}, {0.01}, {0.015}},
                                         {{0.1}, {0.11, 0.12, 0.13}, {0.12}});
    EXPECT_EQ(comparison.boots_before, 5u);
    EXPECT_EQ(comparison.boots_after, 3u);
    EXPECT_FALSE(comparison.few_boots);
    EXPECT_GT(comparison.df, 2);
    EXPECT_TRUE(differs(comparison));
    expect_one_method(comparison);
    expect_one_method(compare_rows({{0, 0.01}, {0.02}, {0.01}, {0}}, {{0.1, 0.1}}));
}

TEST(Compare, IdenticalValuesAreNoCertainty) {
    const auto same = comparison_of({1, 1, 1}, {1, 1, 1});
    EXPECT_TRUE(same.no_spread);
    EXPECT_EQ(same.ratio.value, 1);
    EXPECT_EQ(same.p, 1);
    EXPECT_FALSE(differs(same));
    EXPECT_FALSE(differs(comparison_of({1, 1, 1}, {1.01, 1.01, 1.01})));
    EXPECT_TRUE(differs(comparison_of({1, 1, 1}, {2, 2, 2})));
    expect_one_method(same);
    // A spread of nothing, from an A/A of such a metric, is not used.
    const auto given = compare_rows({{1}, {1}, {1}}, {{1.01}, {1.01}, {1.01}},
                                    {.sd = 0, .df = 9, .assumed = false});
    EXPECT_FALSE(differs(given));
    const auto one_side = comparison_of({1, 1, 1}, {1.1, 1.11, 1.12});
    EXPECT_FALSE(one_side.no_spread);
    EXPECT_NEAR(one_side.df, 2, 1e-9);
    expect_one_method(one_side);
}

TEST(Compare, OneRepetitionInOneBootIsRefused) {
    const Units one = test::units_of_logs({1});
    const Units three = test::units_of_logs({1, 2, 3});
    EXPECT_EQ(compare(one, three, {}).error().what,
              "cannot compare: one boot with one repetition before has no spread");
    EXPECT_EQ(compare(three, one, {}).error().what,
              "cannot compare: one boot with one repetition after has no spread");
    // Two boots of one repetition have one degree of freedom between them.
    EXPECT_FALSE(differs(comparison_of({0, 0.001}, {0.02, 0.021})));
}

TEST(Compare, ExtremesStayNumbers) {
    expect_one_method(comparison_of({-700, -699, -698}, {700, 701, 702}));
    expect_one_method(comparison_of({0, 300}, {0, -300}));
}

}  // namespace
}  // namespace kcost
