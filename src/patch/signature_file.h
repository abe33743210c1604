// The [signature] table of a patch.toml. Its keys are explained in docs/extending.md.
#pragma once

#include "patch/signature.h"
#include "patch/toml_table.h"

namespace kcost::patch {

/// Mistakes go to the table's file.
Signature read_signature(TomlTable table);

}  // namespace kcost::patch
