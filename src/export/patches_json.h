// What kcost patches prints with --format json.
#pragma once

#include <string>
#include <vector>

#include "model/patch_finding.h"

namespace kcost {

std::string render_patches_json(const model::AskedKernel& kernel,
                                const std::vector<model::PatchReport>& reports);

}  // namespace kcost
