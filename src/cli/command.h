// A subcommand: one file each in this folder; CMake makes the table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/result.h"

namespace kcost {

/// Adds the options to its own parser and returns what to run once they are parsed.
struct Command {
    const char* name;
    const char* summary;
    std::function<Result<int>()> (*set_up)(CLI::App& app);
};

}  // namespace kcost
