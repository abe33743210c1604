// When to look and when to stop: how looks share a verdict's error, and the stop by precision.
#pragma once

#include <cstddef>
#include <vector>

#include "analyse/compare.h"
#include "base/result.h"

namespace kcost {

inline constexpr unsigned kMostLooks = 3;

/// From how many units on a width is believed.
inline constexpr std::size_t kFewestForPrecision = 10;

/// The level of a look, counted from 1: kAlpha / 3 for each, so that looking is never a loss
/// (Bonferroni). Error: the fourth and later ones, and 0.
Result<double> level_of_look(unsigned look);

/// Whether the 95% interval of the values' geometric mean is within ± `precision` (0.01: 1%), from
/// ten values on. It sees the width only, never where the interval lies: to stop by it cannot
/// prefer a result. No: fewer values, or one that is not above 0.
bool precise_enough(const std::vector<double>& values, double precision);

/// The same for the ratio of two sides, from ten boots a side on.
bool precise_enough(const Comparison& comparison, double precision);

}  // namespace kcost
