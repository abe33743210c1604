// Several benefit metrics in one verdict: Holm's step-down (Scandinavian Journal of Statistics 6,
// 1979). Controls are not among them: they must be equivalent, which is no chance for an alarm.
#pragma once

#include <vector>

#include "analyse/compare.h"

namespace kcost {

struct HolmStep {
    double alpha = 0;  ///< at which this one is decided
    double adjusted_p = 1;
    bool rejected = false;
};

/// In the order of `p`. A hypothesis after the first that stands is decided at that one's level.
std::vector<HolmStep> holm(const std::vector<double>& p, double alpha);

/// Each comparison with its interval at its own step's level: it excludes 1 where Holm rejects.
void apply_holm(std::vector<Comparison>& comparisons, double alpha);

}  // namespace kcost
