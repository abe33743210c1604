#include "workload/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "kernel/cgroup_memory.h"
#include "workload/workload.h"

namespace kcost::workload {
namespace {

constexpr std::uint64_t kMostByDefault_bytes = 1ull << 30;
constexpr unsigned kMostMembers = 16384;

std::string list_of(const std::vector<unsigned>& cpus) {
    return fmt::format("{}", fmt::join(cpus, ","));
}

Result<std::vector<unsigned>> choose_cpus(const Layout& layout, const WorkloadOptions& options,
                                          const std::vector<unsigned>& allowed) {
    for (unsigned cpu : options.cpus) {
        if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) continue;
        return fail(fmt::format("cannot run on CPU {}: it is offline, or not allowed", cpu),
                    "--cpu with some of " + list_of(allowed), ExitCode::kUsage);
    }
    if (!options.cpus.empty()) return options.cpus;
    // Interrupts and the profiler itself tend to sit on the first.
    std::size_t wanted = layout.default_cpus ? layout.default_cpus : allowed.size();
    if (layout.one_a_cpu && options.threads > 0) wanted = options.threads;
    wanted = std::min(wanted, allowed.size());
    return std::vector<unsigned>(allowed.end() - static_cast<std::ptrdiff_t>(wanted),
                                 allowed.end());
}

Result<void> choose_footprint(WorkloadOptions& options, std::size_t members,
                              const kernel::Root& root) {
    auto available = kernel::available_memory_bytes(root);
    if (!available) return tl::unexpected(available.error());
    const std::uint64_t most = *available / 2;
    if (options.footprint_bytes > most) {
        return fail(fmt::format("cannot use {}: that is more than half of the {} available here",
                                format_bytes(static_cast<double>(options.footprint_bytes)),
                                format_bytes(static_cast<double>(*available))),
                    fmt::format("--footprint {}M or less", most >> 20), ExitCode::kCannotHere);
    }
    if (options.footprint_bytes == 0) {
        options.footprint_bytes = default_footprint_bytes(*available);
    }
    constexpr std::uint64_t kLeastOfMember_bytes = 1 << 20;
    if (options.footprint_bytes >= kLeastOfMember_bytes * members) return {};
    return fail(fmt::format("cannot use {} with {} threads: each needs 1 MiB",
                            format_bytes(static_cast<double>(options.footprint_bytes)), members),
                "a larger --footprint, or fewer --threads", ExitCode::kUsage);
}

}  // namespace

std::uint64_t default_footprint_bytes(std::uint64_t available_bytes) {
    return std::min(kMostByDefault_bytes, available_bytes / 20);
}

Result<RunPlan> plan_run(const Workload& workload, const WorkloadOptions& options,
                         const std::vector<unsigned>& allowed_cpus, const kernel::Root& root) {
    const Layout& layout = workload.layout;
    RunPlan plan{options, {}, {}};
    auto cpus = choose_cpus(layout, options, allowed_cpus);
    if (!cpus) return tl::unexpected(cpus.error());
    WorkloadOptions& chosen = plan.options;
    chosen.cpus = *cpus;
    if (chosen.threads == 0) {
        chosen.threads = layout.one_a_cpu ? static_cast<unsigned>(cpus->size()) : 1;
    }
    if (chosen.threads > kMostMembers / layout.members) {
        return fail(
            fmt::format("cannot start {} {}", std::uint64_t{chosen.threads} * layout.members,
                        workload.members_are),
            fmt::format("--threads {} or fewer", kMostMembers / layout.members), ExitCode::kUsage);
    }
    const unsigned members = chosen.threads * layout.members;
    for (unsigned i = 0; i < members; i++) {
        plan.member_cpus.push_back((*cpus)[i / layout.on_one_cpu % cpus->size()]);
    }
    const std::set<unsigned> used(plan.member_cpus.begin(), plan.member_cpus.end());
    plan.cpus.assign(used.begin(), used.end());
    if (workload.has_footprint) {
        auto footprint = choose_footprint(chosen, members, root);
        if (!footprint) return tl::unexpected(footprint.error());
    }
    return plan;
}

}  // namespace kcost::workload
