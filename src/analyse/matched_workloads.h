// The workloads of both sides, side by side. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/measurement.h"

namespace kcost {

struct MatchedWorkload {
    const model::MeasuredWorkload* workload = nullptr;  ///< of the side that has it
    std::string label;                                  ///< its name; of a command with its words
    bool control = false;
    std::size_t before = 0;  ///< index; valid where `problem` is empty
    std::size_t after = 0;
    std::string problem;           ///< why it cannot be compared
    bool settings_differ = false;  ///< that is the problem
    bool only_on_one_side = false;
};

/// Those of `before` in their order, then those that only `after` has. The same work is the same
/// command, unit and settings; the seed may differ.
std::vector<MatchedWorkload> match_workloads(const model::Measurement& before,
                                             const model::Measurement& after);

/// "threads: 1 before, 2 after"; empty: only the seed may differ.
std::string differing_settings(const model::MeasuredWorkload& before,
                               const model::MeasuredWorkload& after);

struct MatchedMetric {
    const model::Metric* metric = nullptr;
    std::string label;  ///< the workload's, and the metric's name where it has several
    std::size_t before = 0;
    std::size_t after = 0;
    std::string problem;
};

/// The metrics of a workload; of one that cannot be compared, each has its problem.
std::vector<MatchedMetric> match_metrics(const MatchedWorkload& workload,
                                         const model::Measurement& after);

}  // namespace kcost
