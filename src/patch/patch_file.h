// One patch of the catalogue, from its folder.
#pragma once

#include <string>

#include "base/result.h"
#include "model/patch.h"
#include "patch/signature.h"

namespace kcost::patch {

struct KnownPatch {
    model::Patch patch;
    Signature signature;
};

/// Reads FOLDER/patch.toml; the folder's name is the slug. An error names file, line and key.
Result<KnownPatch> read_patch(const std::string& folder);

}  // namespace kcost::patch
