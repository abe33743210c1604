// What the kernel's types (BTF) say of a function: whether a condition on it can be asked at all.
#pragma once

#include <string>

#include "base/result.h"
#include "model/hot_path.h"

namespace kcost::probe {

/// An error where a target's conditions or split name an argument that the function does not have,
/// or the result of one that returns nothing: the programs would read a register's leftovers.
/// Reads all of the kernel's types, so ask only for targets with conditions or a split.
/// Functions that BTF does not know (assembly, modules) pass.
Result<void> check_operands(const model::HotPath& target, const std::string& function);

/// Whether a target has operands to check.
bool has_operands(const model::HotPath& target);

}  // namespace kcost::probe
