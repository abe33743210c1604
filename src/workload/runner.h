// One run of a workload: started in a process of its own, warmed up, counted in ticks of a second.
#pragma once

#include <functional>

#include "base/result.h"
#include "base/signals.h"
#include "model/ticks.h"
#include "workload/run_plan.h"
#include "workload/workload.h"

namespace kcost::workload {

/// What to do meanwhile; any may be empty. An error ends the run.
struct Hooks {
    std::function<Result<void>()> held;       ///< the process is there and does nothing yet
    std::function<Result<void>()> warmed_up;  ///< the first tick that counts begins
    std::function<Result<void>()> ticked;     ///< after each tick
    std::function<Result<void>()> counted;    ///< the last tick has ended
    std::function<Result<void>()> ended;      ///< the process has ended, and its probes are there
    std::function<Result<void>()> second;     ///< about each second, from `held` to the end
};

/// An interrupt ends it early: the finished ticks are given, an error where there is none. An error
/// also where the workload fails, is killed or hangs.
Result<model::Ticks> run(const Workload& workload, const RunPlan& plan, Signals& signals,
                         const Hooks& hooks = {});

}  // namespace kcost::workload
