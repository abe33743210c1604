// How far boots of one kernel lie apart on a machine: what an A/A measurement says. Not how many
// boots that asks for (boots_needed.h).
#pragma once

#include <cstddef>
#include <vector>

#include "analyse/boots.h"
#include "base/result.h"

namespace kcost {

/// The standard deviation of one boot's figure, as a fraction, and what that is worth.
struct BootSpread {
    /// Without an A/A of this machine. The assumption is worth no more than an estimate from three
    /// boots, the fewest that decide without it: 2 degrees of freedom.
    static constexpr double kAssumedSd = 0.02;
    static constexpr double kAssumedDf = 2;

    double sd = kAssumedSd;
    double df = kAssumedDf;
    bool assumed = true;
};

/// Of an A/A measurement: the same kernel over several boots. Fractions, of natural logs.
struct VarianceComponents {
    double boot_sd = 0;        ///< σ_boot; 0 where the estimate was negative
    double repetition_sd = 0;  ///< σ_repetition, within a boot
    double boot_mean_sd = 0;   ///< of the boots' figures as they are: both parts together
    std::size_t boots = 0;
    double repetitions = 0;  ///< a boot; where boots differ, the n0 of the formula
    double repetition_df = 0;
    bool boot_negative = false;  ///< repetitions explain all: boots lie no further apart than these
};

/// One-way analysis of variance with random boots and unequal repetitions (Searle, Casella and
/// McCulloch, "Variance Components", 1992, 3.6): σ_boot² = (MSB - MSW) / n0. Error: what make_units
/// refuses, fewer than three boots, or no boot with two repetitions.
Result<VarianceComponents> variance_components(const std::vector<Boot>& sessions);

/// The spread of a boot's figure where `repetitions` make it: σ_boot² + σ_repetition² /
/// repetitions, with boots - 1 degrees of freedom (too few where repetitions explain most: on the
/// safe side).
BootSpread spread_of(const VarianceComponents& components, double repetitions);

/// What compare() adds where boots are few: the sd of the boots' figures as they are, boots - 1
/// degrees of freedom. *Rejected*: σ_boot alone. By luck it is 0 in an A/A of few boots, and has no
/// degrees of freedom then.
BootSpread spread_for_few(const VarianceComponents& components);

}  // namespace kcost
