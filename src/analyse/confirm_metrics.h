// What changed in the workloads themselves: benefits and controls, from bare repetitions. Pure.
// Used by confirm.cpp only.
#pragma once

#include <vector>

#include "analyse/confirm_sides.h"
#include "analyse/verdict.h"
#include "model/confirmation.h"

namespace kcost {

struct FoundMetrics {
    std::vector<Benefit> benefits;
    std::vector<Control> controls;
    std::vector<model::ConfirmedMetric> shown;  ///< benefits, then controls, in their order
};

FoundMetrics find_metrics(const ConfirmSides& sides);

/// Intervals at the levels that the verdict gave them, and what it found of each.
void settle(const Verdict& verdict, const VerdictInput& input, FoundMetrics& metrics);

}  // namespace kcost
