// The options that record and top share: what to measure, and how much it may cost.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/hot_path.h"
#include "probe/session.h"

namespace kcost {

struct MeasureOptions {
    std::vector<std::string> targets;
    unsigned callers_one_in = 64;
    bool count_only = false;
    bool time_throwing = false;
    unsigned allow_stops = 16;

    void add_to(CLI::App& app);
    /// The targets named, or all built-in hot paths.
    Result<std::vector<model::HotPath>> parse_targets() const;
    Result<probe::SessionOptions> session_options() const;
};

}  // namespace kcost
