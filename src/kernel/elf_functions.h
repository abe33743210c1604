// The functions that a program's file names, for user targets.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kcost::kernel {

/// Names in its symbol tables, sorted, each once. An error where the file is no program or has no
/// symbols at all.
Result<std::vector<std::string>> elf_functions(const std::string& path);

/// Whether it throws C++ exceptions. One that is thrown through a return probe ends the program:
/// the probe has replaced the return address that the unwinder needs.
bool throws_exceptions(const std::string& path);

}  // namespace kcost::kernel
