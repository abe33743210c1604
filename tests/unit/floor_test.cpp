#include "probe/floor.h"

#include <gtest/gtest.h>

namespace kcost::probe {
namespace {

TEST(Floor, OfNothingIsUnknown) { EXPECT_EQ(floor_of({}), 0u); }

TEST(Floor, IsTheMiddleSpanWhateverTheLongestIs) {
    model::Figures figures;
    figures.spans = 101;
    figures.max_ns = 1'000'000;
    figures.durations.bins.assign(KC_BINS, 0);
    figures.durations.bins[model::bin_of(200)] = 100;
    figures.durations.bins[model::bin_of(1'000'000)] = 1;
    EXPECT_NEAR(static_cast<double>(floor_of(figures)), 200, 25);
}

}  // namespace
}  // namespace kcost::probe
