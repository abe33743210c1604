// What a run of a workload was asked for, and what comes of that here: members, their CPUs, memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost {
struct Workload;
}

namespace kcost::workload {

/// How a workload's members are told from the number that --threads gives.
struct Layout {
    unsigned members = 1;       ///< threads or processes for each of --threads: 2 of a pair
    unsigned on_one_cpu = 1;    ///< members in a row that share a CPU
    unsigned default_cpus = 1;  ///< at most so many of those allowed; 0: all of them
    bool one_a_cpu = true;      ///< --threads defaults to one a CPU, else to one in all
};

struct WorkloadOptions {
    std::vector<unsigned> cpus{};  ///< empty: the last of those allowed
    unsigned threads = 0;        ///< 0: the workload's default
    unsigned ticks = 5;
    unsigned warm_up_ticks = 2;
    std::uint64_t seed = 1;
    std::uint64_t footprint_bytes = 0;  ///< 0: default_footprint_bytes
    bool pipes = false;
};

struct RunPlan {
    WorkloadOptions options;            ///< all filled in
    std::vector<unsigned> member_cpus;  ///< by member
    std::vector<unsigned> cpus;         ///< those in use, sorted
};

/// 1 GiB, or 5% of what is available if that is less.
std::uint64_t default_footprint_bytes(std::uint64_t available_bytes);

/// Looks at memory below `root` only where the workload has a footprint.
Result<RunPlan> plan_run(const Workload& workload, const WorkloadOptions& options,
                         const std::vector<unsigned>& allowed_cpus, const kernel::Root& root);

}  // namespace kcost::workload
