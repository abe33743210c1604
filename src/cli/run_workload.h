// One run of a workload with the probes that it wants, which is all that `bench` and a
// measurement's repetition need.
#pragma once

#include "base/result.h"
#include "base/signals.h"
#include "model/ticks.h"
#include "workload/runner.h"

namespace kcost {

/// The options are those of the command line, not filled in. See workload::run for what ends it.
Result<model::Ticks> run_workload(const Workload& workload,
                                  const workload::WorkloadOptions& options, Signals& signals,
                                  const workload::Hooks& hooks = {});

/// By its name; the error names those that are like it.
Result<const Workload*> find_workload(const std::string& name);

}  // namespace kcost
