// kcost bench: run one of kcost's own workloads and print how much of it this machine does.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/signals.h"
#include "base/text.h"
#include "cli/busy_machine.h"
#include "cli/command.h"
#include "cli/run_workload.h"
#include "cli/work_options.h"
#include "export/ticks_json.h"
#include "export/ticks_text.h"
#include "kernel/machine.h"
#include "workload/workload_table.h"

namespace kcost {
namespace {

constexpr unsigned kMostTicks = 86'400;

struct BenchOptions {
    std::string name;
    bool names_only = false;
    WorkOptions work;
    bool yes = false;
    std::string format = "text";
};

int list_names() {
    for (const Workload* workload : workload_table()) fmt::print("{}\n", workload->name);
    return static_cast<int>(ExitCode::kDone);
}

Result<int> bench(const BenchOptions& options) {
    if (options.names_only) return list_names();
    if (options.name.empty()) {
        return fail("no workload is named", "kcost bench --help, which lists them",
                    ExitCode::kUsage);
    }
    auto chosen = find_workload(options.name);
    if (!chosen) return tl::unexpected(chosen.error());
    auto parsed = options.work.parse(**chosen);
    if (!parsed) return tl::unexpected(parsed.error());
    auto quiet = check_load(options.yes);
    if (!quiet) return tl::unexpected(quiet.error());
    const model::Machine machine = kernel::read_machine({});
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    auto ticks = run_workload(**chosen, *parsed, *signals);
    if (!ticks) return tl::unexpected(ticks.error());
    const bool json = options.format == "json";
    fmt::print("{}",
               json ? render_ticks_json(*ticks, machine) : render_ticks_text(*ticks, machine));
    const bool whole = ticks->ticks.size() == ticks->asked_ticks;
    return static_cast<int>(whole ? ExitCode::kDone : ExitCode::kInterrupted);
}

std::string describe_workloads() {
    std::string text = "Workloads:\n";
    for (const Workload* workload : workload_table()) {
        text += fmt::format("  {:<25} {}\n", workload->name, workload->summary);
    }
    return text;
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    app.add_option("NAME", options->name, "The workload");
    app.add_flag("--names", options->names_only, "Print the workloads' names only");
    CLI::Option* ticks =
        app.add_option("-n,--ticks", options->work.workload.ticks, "Ticks of a second to count")
            ->check(CLI::Range(1u, kMostTicks))
            ->capture_default_str();
    app.add_option("-d,--duration", options->work.workload.ticks, "The same, in seconds")
        ->check(CLI::Range(1u, kMostTicks))
        ->excludes(ticks);
    app.add_option("-w,--warm-up", options->work.workload.warm_up_ticks, "Seconds to run before")
        ->check(CLI::Range(0u, kMostTicks))
        ->capture_default_str();
    options->work.add_to(app);
    app.add_option("--seed", options->work.workload.seed,
                   "Decides where the order of the work is free")
        ->capture_default_str();
    app.add_flag("-y,--yes", options->yes, "Run on a busy machine all the same");
    app.add_option("-f,--format", options->format, "text, or json with every raw tick")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    app.footer(describe_workloads());
    return [options] { return bench(*options); };
}

}  // namespace

extern const Command kCommandBench = {"bench", "Run a workload of kcost's own, and tell its rate",
                                      set_up};

}  // namespace kcost
