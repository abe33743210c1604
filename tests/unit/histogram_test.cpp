#include "model/histogram.h"

#include <gtest/gtest.h>

#include <random>

namespace kcost::model {
namespace {

// The programs' arithmetic, step by step.
std::size_t bin_by_lookup(std::uint64_t ns) {
    static const auto table = bin_lookup();
    for (unsigned k = 0; k < 4; ++k)
        if (ns >> (8 * k) < KC_BIN_LOOKUP) return table[ns >> (8 * k)] + 64 * k;
    return KC_BINS - 1;
}

TEST(Histogram, BinOfAgreesWithTheProgramsLookup) {
    for (std::uint64_t ns = 0; ns < 5'000'000; ++ns) ASSERT_EQ(bin_of(ns), bin_by_lookup(ns)) << ns;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t power = std::uint64_t{1} << bit;
        for (std::uint64_t ns : {power - 1, power, power + 1, power + power / 8, power + power / 2})
            EXPECT_EQ(bin_of(ns), bin_by_lookup(ns)) << ns;
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 1'000'000; ++i) {
        const std::uint64_t ns = random() >> (random() % 64);
        ASSERT_EQ(bin_of(ns), bin_by_lookup(ns)) << ns;
    }
}

TEST(Histogram, BinsHaveNoHoleAndNoOverlap) {
    for (std::size_t bin = 0; bin + 1 < KC_BINS; ++bin) {
        EXPECT_EQ(bin_of(bin_floor(bin)), bin);
        EXPECT_EQ(bin_of(bin_floor(bin + 1) - 1), bin);
        if (bin >= KC_BINS_PER_OCTAVE) {
            EXPECT_LE((bin_floor(bin + 1) - bin_floor(bin)) * 8, bin_floor(bin));
        }
    }
    EXPECT_EQ(bin_floor(KC_BINS - 1), std::uint64_t{1} << KC_BIN_MAX_BIT);
    EXPECT_EQ(bin_floor(KC_BINS), std::uint64_t{1} << KC_BIN_MAX_BIT);
    EXPECT_EQ(bin_of(~std::uint64_t{0}), std::size_t{KC_BINS - 1});
}

TEST(Histogram, Quantiles) {
    Histogram none;
    EXPECT_EQ(none.quantile_ns(0.5), 0);
    EXPECT_EQ(none.count(), 0u);

    Histogram two;
    two.bins.resize(KC_BINS);
    two.bins[bin_of(100)] = 90;
    two.bins[bin_of(10000)] = 10;
    EXPECT_EQ(two.count(), 100u);
    EXPECT_EQ(bin_of(static_cast<std::uint64_t>(two.quantile_ns(0.5))), bin_of(100));
    EXPECT_EQ(bin_of(static_cast<std::uint64_t>(two.quantile_ns(0.95))), bin_of(10000));
    EXPECT_EQ(two.quantile_ns(0), static_cast<double>(bin_floor(bin_of(100))));
    EXPECT_EQ(two.quantile_ns(2), static_cast<double>(bin_floor(bin_of(10000) + 1)));

    none.add(two);
    none.add(two);
    EXPECT_EQ(none.count(), 200u);

    Histogram rest;
    rest.bins.resize(KC_BINS);
    rest.bins[KC_BINS - 1] = 1;
    EXPECT_EQ(rest.quantile_ns(0.99), static_cast<double>(std::uint64_t{1} << 35));
}

TEST(Histogram, UniformDurationsAreRightToAnEighthOfAnOctave) {
    Histogram histogram;
    histogram.bins.resize(KC_BINS);
    for (std::uint64_t ns = 0; ns < 100000; ++ns) ++histogram.bins[bin_of(ns)];
    for (double fraction : {0.1, 0.5, 0.9, 0.99})
        EXPECT_NEAR(histogram.quantile_ns(fraction), fraction * 100000, fraction * 100000 / 8);
}

}  // namespace
}  // namespace kcost::model
