// From targets to sites: which functions exist here, which may be probed, what the programs' fixed
// settings are. Decides nothing by version: mechanisms are tried when the sites are attached.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bpf/abi.h"
#include "kernel/deny_list.h"
#include "kernel/root.h"
#include "model/hot_path.h"
#include "model/recording.h"
#include "probe/span_programs.h"

namespace kcost::probe {

struct PlannedSite {
    Place place;
    std::optional<std::size_t> target;  ///< index; none: a gate that another site's `within` needs
    std::optional<std::size_t> gate;    ///< index into sites of the site that must be open
    bool count_only = false;
    std::string count_reason;  ///< why, where nobody asked for that
    std::string detail;        ///< what an operation consists of
    bool repeated = false;     ///< an operation that runs twice, for an erratum
};

struct Plan {
    std::vector<model::HotPath> targets;
    std::vector<PlannedSite> sites;                    ///< gates come before what needs them
    std::vector<std::vector<model::Skipped>> skipped;  ///< by target
    std::vector<std::size_t> sites_found;              ///< by target; 0: not an operation
    std::vector<std::string> warnings;
};

struct PlanOptions {
    bool count_only = false;
    bool time_throwing = false;  ///< also programs that a return probe may end
};

/// Errors only where nothing can be planned at all (no rights, hidden addresses).
Result<Plan> make_plan(const kernel::Root& root, std::vector<model::HotPath> targets,
                       const PlanOptions& options);

/// Error for a target of which nothing can be measured: its first reason and remedy.
Error explain_skipped(const model::HotPath& target, const std::vector<model::Skipped>& skipped);

}  // namespace kcost::probe
