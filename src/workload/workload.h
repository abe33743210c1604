// A workload: work of kcost's own whose units are counted. One file each in this folder, or one for
// a few that are alike; CMake makes the table.
#pragma once

#include <span>

#include "base/result.h"
#include "model/probed_function.h"
#include "workload/job.h"

namespace kcost {

struct Workload {
    const char* name;
    const char* summary;
    const char* unit;         ///< of work, in the plural: "hits"
    const char* members_are;  ///< "threads" or "processes"

    /// Runs in a process of its own, with kcost's OOM score at its worst. Starts the members (see
    /// crew.h), which count units until job.stopped(). An error ends the run and is printed.
    Result<void> (*run)(workload::Job& job);

    workload::Layout layout{};

    /// User probes that must be there before it runs.
    std::span<const model::ProbedFunction> probes{};
    /// What Counter::proof counts, or the probes' program; empty: nothing.
    const char* proof = "";
    bool has_footprint = false;  ///< so --footprint is meant for it
    bool has_pipes = false;      ///< so --pipes is
};

}  // namespace kcost
