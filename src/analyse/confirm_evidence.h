// What both kernels' text says about the patches of the catalogue, as it was recorded. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/measurement.h"

namespace kcost {

/// Of all sessions together: where they disagree, or none tells, the evidence is kCannotTell and
/// `why` says so.
model::PatchFinding finding_of(const model::Measurement& side, const std::string& slug);

struct OtherPatches {
    std::vector<std::string> differ;   ///< one line each: what it is before and after
    std::vector<std::string> unclear;  ///< slugs that cannot be told on one side at least
};

/// The patches of the catalogue but this one.
OtherPatches other_patches(const model::Measurement& before, const model::Measurement& after,
                           const std::string& slug);

}  // namespace kcost
