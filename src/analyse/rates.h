// Counts per operation and their change, with exact intervals: one boot is enough for these. Not
// for durations.
#pragma once

#include <cstdint>

#include "analyse/estimate.h"
#include "base/result.h"

namespace kcost {

struct Count {
    std::uint64_t events = 0;  ///< calls, flushes, allocations
    double operations = 0;     ///< that made them; above 0
};

/// Events per operation. Exact for independent events (Garwood, Biometrika 28, 1936), wider than
/// needed where each operation makes exactly one. 0 events: from 0 to -ln(alpha / 2) / operations.
/// Error: no operations.
Result<Estimate> rate(const Count& count, double alpha);

/// How many of `trials` had the event, 0…1 (Clopper and Pearson, Biometrika 26, 1934). Error: no
/// trial, or more events than trials.
Result<Estimate> proportion(std::uint64_t events, std::uint64_t trials, double alpha);

struct RateRatio {
    Estimate ratio;  ///< after / before, of rates
    double p = 1;    ///< two-sided, by doubling the smaller tail: as the interval decides
};

/// Given the sum of both counts, the later one is binomial: Clopper and Pearson's interval for its
/// share gives that of the ratio (Przyborowski and Wilenski, Biometrika 31, 1940). No event before:
/// the ratio is infinite, with a lower bound; none after: 0, with an upper bound; none at all: 1,
/// from 0 to infinity. Error: no operations on a side.
Result<RateRatio> rate_ratio(const Count& before, const Count& after, double alpha);

}  // namespace kcost
