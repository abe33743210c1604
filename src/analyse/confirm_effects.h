// What changed in the hot path itself: counts per operation, time per call, share of cycles. Pure.
// Used by confirm.cpp only.
#pragma once

#include <vector>

#include "analyse/confirm_sides.h"
#include "analyse/verdict.h"
#include "model/confirmation.h"

namespace kcost {

struct FoundEffects {
    std::vector<MechanismEffect> judged;  ///< those that the patch must have
    std::vector<model::ConfirmedEffect> shown;
    std::vector<std::string> reasons;  ///< why an effect that the patch must have is not judged
};

/// The patch's effects in the workloads that are no controls are judged; beside these, each target
/// is counted in each workload. Times are refused where mechanisms differ, or at the floor.
FoundEffects find_effects(const ConfirmSides& sides);

std::vector<model::CycleShare> find_shares(const ConfirmSides& sides);

}  // namespace kcost
