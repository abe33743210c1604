// The table of subcommands, made by cmake/table.cmake.
#pragma once

#include <vector>

#include "cli/command.h"

namespace kcost {
const std::vector<const Command*>& command_table();
}
