// Two sides, before and after: the ratio of their geometric means over boots, with its interval.
// Decision and interval come from one method. Not the verdict (verdict.h).
#pragma once

#include <cstddef>

#include "analyse/boot_spread.h"
#include "analyse/boots.h"
#include "analyse/estimate.h"
#include "base/result.h"

namespace kcost {

inline constexpr double kAlpha = 0.05;  ///< of a verdict, before looks and metrics share it

/// A side with fewer boots has no spread between boots that is worth the name.
inline constexpr std::size_t kFewestBoots = 3;

struct Comparison {
    Estimate ratio;  ///< after / before; at level 1 - alpha
    double alpha = kAlpha;
    double t = 0;
    double df = 0;
    double p = 1;               ///< two-sided
    double log_difference = 0;  ///< natural log of the ratio
    double standard_error = 0;  ///< of log_difference
    std::size_t boots_before = 0;
    std::size_t boots_after = 0;
    bool few_boots = false;  ///< fewer than three on a side: a boot spread was added
    bool no_spread = false;  ///< all boots of a side the same, on both sides: likewise
    BootSpread spread;       ///< of one boot's figure, as this comparison sees it
};

inline bool differs(const Comparison& comparison) { return excludes_one(comparison.ratio); }

/// Welch's t on the logs of boot means, Welch-Satterthwaite degrees of freedom (Welch, Biometrika
/// 34, 1947; Satterthwaite, Biometrics Bulletin 2, 1946).
///
/// With fewer than three boots on a side that side's variance is of repetitions only, or of its two
/// boots if that is more, and 2·`few`.sd² is added for the boots. The added term enters the
/// Satterthwaite sum with `few`.df: an assumed spread costs a wide interval (t of 2 degrees of
/// freedom), an A/A of ten boots a narrower one. The same is added where no boot of either side
/// differs from its neighbours: the metric is too coarse to show its spread.
/// Error: a side of one boot with one repetition, which has no spread at all.
Result<Comparison> compare(const Units& before, const Units& after, const BootSpread& few);

/// The same comparison with its interval at 1 - alpha.
Comparison at_level(Comparison comparison, double alpha);

}  // namespace kcost
