// A patch's published figures, graded by what they say themselves (claims.h). Pure.
#pragma once

#include "analyse/claims.h"
#include "model/graded_claims.h"

namespace kcost {

Claim claim_of(const model::Publication& publication, const model::PublishedFigure& figure);

model::GradedPatch grade_patch(const model::Patch& patch);

}  // namespace kcost
