// The JSON of a patch's graded published figures.
#pragma once

#include <string>

#include "model/graded_claims.h"

namespace kcost {

std::string render_claims_json(const model::GradedPatch& graded);

}  // namespace kcost
