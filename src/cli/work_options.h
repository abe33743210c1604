// The options that bench and measure share: how one of kcost's own workloads is run.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "workload/run_plan.h"
#include "workload/workload.h"

namespace kcost {

struct WorkOptions {
    workload::WorkloadOptions workload;
    std::string cpus;
    std::string footprint;

    void add_to(CLI::App& app);
    /// Error (kUsage): an option that this workload does not have.
    Result<workload::WorkloadOptions> parse(const Workload& chosen) const;
    bool any() const;  ///< is given
    /// The same without an error: what it does not have is left out.
    workload::WorkloadOptions parse_for_any(const Workload& chosen) const;
};

}  // namespace kcost
