// The session of `kcost measure`: repetitions in their random order, the file written after each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/signals.h"
#include "cli/repetition.h"
#include "model/hot_path.h"
#include "model/measurement.h"

namespace kcost {

/// All that is decided before the first repetition.
struct MeasurePlan {
    std::string file;
    model::Measurement measurement;  ///< with the sessions that the file has already
    std::vector<Work> works;         ///< one for each of measurement.workloads
    std::vector<model::HotPath> targets;
    std::vector<model::Mode> modes;
    unsigned blocks = 10;
    std::uint64_t seed = 0;
    double precision = 0;          ///< 0.01: stop at ± 1%; 0: do not
    std::uint64_t budget_ns = 0;   ///< 0: no end but the blocks'
    std::uint64_t longest_ns = 0;  ///< of a command's run; 0: by those before
    unsigned allow_stops = 16;
    std::string patches_folder;
};

/// Adds a session to plan.measurement and to the file. What is finished is in the file, whatever
/// ends it. Error: what ended it before its time.
Result<void> run_session(MeasurePlan& plan, Signals& signals);

}  // namespace kcost
