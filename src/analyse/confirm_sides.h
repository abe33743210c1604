// Both measurements with what they share: what each part of `confirm` is given. Used by
// confirm*.cpp only.
#pragma once

#include <string>
#include <vector>

#include "analyse/comparability.h"
#include "analyse/matched_workloads.h"
#include "model/confirmation.h"
#include "model/measurement.h"
#include "model/patch.h"

namespace kcost {

struct ConfirmSides {
    const model::Measurement* before = nullptr;
    const model::Measurement* after = nullptr;
    const model::Patch* patch = nullptr;     ///< null: none is named
    const model::Measurement* aa = nullptr;  ///< of this machine; null: none that serves
    Comparability machines;
    bool kernel_change = false;  ///< the kernels differ in more than the patch
    std::vector<MatchedWorkload> workloads;
    double alpha = 0.05;  ///< of this look
};

/// Counts, failures, noise, overhead of probing; without the evidence.
model::ConfirmedSide sum_up(const model::Measurement& side);

/// What to know of the shares of cycles.
std::vector<std::string> sampling_notes(const model::Measurement& before,
                                        const model::Measurement& after);

/// Whether metrics lie apart over a session, where that is more than chance.
std::vector<std::string> drifts_of(const model::Measurement& side, const char* which);

}  // namespace kcost
