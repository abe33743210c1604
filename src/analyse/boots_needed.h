// How many boots a side an effect asks for. A plan, from a spread that is itself an estimate.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyse/boot_spread.h"
#include "analyse/compare.h"
#include "analyse/looks.h"

namespace kcost {

/// More than these is not a plan.
inline constexpr std::size_t kMostBoots = 1000;

/// Promised are four cases of five. The rest is for what the plan leaves out (slices of the
/// spread's tail, half a percent) and for a check by 1,000 simulations, which has a standard error
/// of 1.3%.
inline constexpr double kPlannedPower = 0.83;

struct Goal {
    double ratio = 1.01;                 ///< the effect to be found
    double alpha = kAlpha / kMostLooks;  ///< of one look, two-sided
    double power = kPlannedPower;
};

/// The chance that compare() of `boots` a side excludes 1 when the effect is `goal.ratio`.
/// Exact for Welch's test with equal spreads: the sum of both variances is independent of their
/// ratio, so t is noncentral t with 2(n-1) degrees of freedom, and only the critical value depends
/// on the ratio. Averaged over the ratio (a beta distribution) and over what the true spread may be
/// (χ² with spread.df): an A/A of few boots asks for more. boots: at least 2.
double power_of(const BootSpread& spread, std::size_t boots, const Goal& goal);

/// The fewest boots a side with that power, at least three. None: more than kMostBoots.
std::optional<std::size_t> boots_needed(const BootSpread& spread, const Goal& goal);

/// The fewest boots a side that show equivalence within `margin` (a ratio above 1) in four cases of
/// five, where nothing changed.
std::optional<std::size_t> boots_for_equivalence(const BootSpread& spread, double margin);

struct Resolution {
    double effect = 0;                 ///< 0.01: 1%
    std::optional<std::size_t> boots;  ///< a side
};

/// What `measure --aa` tells: boots for 0.3%, 1% and 5%, with `repetitions` a boot.
std::vector<Resolution> resolutions(const VarianceComponents& components, double repetitions);

}  // namespace kcost
