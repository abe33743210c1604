#include "cli/run_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "kernel/similar_name.h"
#include "probe/own_probes.h"
#include "workload/pin.h"
#include "workload/run_plan.h"
#include "workload/workload_table.h"

namespace kcost {
namespace {

Result<std::vector<std::string>> describe_probes(const Workload& workload) {
    std::vector<std::string> notes;
    for (const model::ProbedFunction& probed : workload.probes) {
        auto word = probe::first_instruction(probed);
        if (!word) return tl::unexpected(word.error());
        notes.push_back(fmt::format("first instruction of {}: {:#x}", probed.name, *word));
    }
    return notes;
}

}  // namespace

Result<const Workload*> find_workload(const std::string& name) {
    std::vector<std::string> names;
    for (const Workload* workload : workload_table()) {
        if (name == workload->name) return workload;
        names.push_back(workload->name);
    }
    auto like = kernel::most_like(name, names, 1);
    return fail("there is no workload " + escape_for_terminal(name),
                like.empty() ? "kcost bench --help, which lists them"
                             : "did you mean " + like.front() + "?",
                ExitCode::kUsage);
}

Result<model::Ticks> run_workload(const Workload& workload,
                                  const workload::WorkloadOptions& options, Signals& signals,
                                  const workload::Hooks& hooks) {
    auto allowed = workload::allowed_cpus();
    if (!allowed) return tl::unexpected(allowed.error());
    auto plan = workload::plan_run(workload, options, *allowed, {});
    if (!plan) return tl::unexpected(plan.error());
    auto notes = describe_probes(workload);
    if (!notes) return tl::unexpected(notes.error());

    std::optional<probe::OwnProbes> probes;
    workload::Hooks with_probes = hooks;
    // Once the workload's process is there, so that it holds nothing of them.
    with_probes.held = [&]() -> Result<void> {
        if (!workload.probes.empty()) {
            auto attached = probe::OwnProbes::attach(workload.probes);
            if (!attached) return tl::unexpected(attached.error());
            probes = std::move(*attached);
        }
        return hooks.held ? hooks.held() : Result<void>();
    };
    auto ticks = workload::run(workload, *plan, signals, with_probes);
    if (!ticks) return ticks;
    if (probes) ticks->proof.counted = probes->hits();
    ticks->notes.insert(ticks->notes.begin(), notes->begin(), notes->end());
    return ticks;
}

}  // namespace kcost
