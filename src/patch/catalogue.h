// The patches that kcost knows: one folder each, read at run time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "patch/patch_file.h"

namespace kcost::patch {

/// The installed catalogue; of a program in its build folder that of the source tree.
std::string catalogue_folder();

/// All patches by slug. An error of one is an error of all: what cannot be read is not left out in
/// silence.
Result<std::vector<KnownPatch>> read_catalogue(const std::string& folder);

/// The one with that slug. Error: there is none, with those that there are; or an error of any.
Result<KnownPatch> read_one(const std::string& folder, const std::string& slug);

/// Data symbols that the signatures refer to, each once.
std::vector<std::string> symbols_of(const std::vector<KnownPatch>& patches);

}  // namespace kcost::patch
