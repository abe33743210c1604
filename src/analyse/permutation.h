// A cross-check of Welch's p that assumes no distribution: how many ways of dealing the boots to
// the two sides differ as much as the one that was measured. Never the decision itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kcost {

struct Permutation {
    double p = 1;
    double least_p = 1;     ///< what so few units can show at all: 0.1 for 3 against 3
    std::size_t deals = 0;  ///< all that there are, or how many were drawn
    bool exact = true;
};

/// Two-sided, on Welch's t (studentised, so that unequal spreads do no harm: Janssen, Statistics &
/// Probability Letters 36, 1997). All deals up to 20,000, else 20,000 drawn ones with the measured
/// one added ((b + 1) / (n + 1)); the same seed gives the same p on every machine.
/// None: fewer than six units, or fewer than two on a side. Values: logs of boot means.
std::optional<Permutation> permutation_test(const std::vector<double>& before,
                                            const std::vector<double>& after,
                                            std::uint64_t seed = 1);

}  // namespace kcost
