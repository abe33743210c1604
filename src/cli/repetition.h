// One repetition of a measurement: a workload's run, bare, probed or sampled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/signals.h"
#include "model/hot_path.h"
#include "model/measurement.h"
#include "workload/metric.h"
#include "workload/workload.h"

namespace kcost {

/// How one of Measurement::workloads is run.
struct Work {
    const Workload* own = nullptr;  ///< null: a command
    workload::WorkloadOptions options;
    std::vector<std::string> command;
    std::vector<workload::MetricSource> metrics;  ///< of the command
    std::uint64_t operations = 0;                 ///< of a run of the command; 0: not known
};

struct RepetitionRequest {
    const Work& work;
    model::Mode mode;
    const std::vector<model::HotPath>& targets;
    unsigned allow_stops;        ///< see probe::SessionOptions
    std::uint64_t longest_ns;    ///< of a command, which is killed then
    std::vector<unsigned> cpus;  ///< whose frequency is watched
};

/// Workload, block and order are the caller's to fill in. Error: it failed, hangs, printed no
/// metric, or could not be probed; kInterrupted.
Result<model::Repetition> run_repetition(const RepetitionRequest& request, Signals& signals);

}  // namespace kcost
