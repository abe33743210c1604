// kcost bench: run one of kcost's own workloads and print how much of it this machine does.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/log.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/run_workload.h"
#include "export/ticks_json.h"
#include "export/ticks_text.h"
#include "kernel/cpus.h"
#include "kernel/machine.h"
#include "workload/workload_table.h"

namespace kcost {
namespace {

constexpr double kMostLoad = 0.1;  // of the CPUs online
constexpr unsigned kMostTicks = 86'400;

struct BenchOptions {
    std::string name;
    bool names_only = false;
    std::string cpus;
    workload::WorkloadOptions workload;
    std::string footprint;
    bool yes = false;
    std::string format = "text";
};

Result<workload::WorkloadOptions> workload_options(const BenchOptions& options,
                                                   const Workload& chosen) {
    workload::WorkloadOptions parsed = options.workload;
    if (!options.footprint.empty() && !chosen.has_footprint) {
        return fail(options.name + " has no footprint", "leave --footprint out", ExitCode::kUsage);
    }
    if (parsed.pipes && !chosen.has_pipes) {
        return fail(options.name + " has no choice of pipes", "leave --pipes out",
                    ExitCode::kUsage);
    }
    if (!options.cpus.empty()) parsed.cpus = *kernel::parse_cpu_list(options.cpus);
    if (!options.footprint.empty()) parsed.footprint_bytes = *parse_bytes(options.footprint);
    return parsed;
}

// A busy machine gives figures of whoever else runs.
Result<void> check_load(const kernel::Root& root, bool yes) {
    auto load = kernel::load_average(root);
    if (!load) return tl::unexpected(load.error());
    auto online = kernel::online_cpus(root);
    if (!online) return tl::unexpected(online.error());
    const double most = kMostLoad * static_cast<double>(online->size());
    if (*load <= most) return {};
    const std::string what =
        fmt::format("the machine is busy: its load is {:.2f} on {} CPUs, more than {:.2f}", *load,
                    online->size(), most);
    if (!yes)
        return fail(what, "--yes, or wait: it is an average of a minute", ExitCode::kCannotHere);
    log::warn(what);
    return {};
}

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
    auto parsed = workload_options(options, **chosen);
    if (!parsed) return tl::unexpected(parsed.error());
    auto quiet = check_load({}, options.yes);
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

std::string check_cpus(const std::string& text) {
    auto cpus = kernel::parse_cpu_list(text);
    return cpus && !cpus->empty() ? "" : "not a list of CPUs, such as 0-3,8: " + text;
}

std::string check_footprint(const std::string& text) {
    return parse_bytes(text).value_or(0) > 0 ? "" : "not a size, such as 512M or 2G: " + text;
}

std::string describe_workloads() {
    std::string text = "Workloads:\n";
    for (const Workload* workload : workload_table()) {
        text += fmt::format("  {:<25} {}\n", workload->name, workload->summary);
    }
    return text;
}

void add_work_options(CLI::App& app, BenchOptions& options) {
    workload::WorkloadOptions& work = options.workload;
    app.add_option("--cpu", options.cpus, "CPUs to pin to, such as 0-3,8")->check(check_cpus);
    app.add_option("--threads", work.threads,
                   "Threads (of switch-pingpong pairs, of messaging groups)")
        ->check(CLI::Range(1u, 16'384u));
    app.add_option("--seed", work.seed, "Decides where the order of the work is free")
        ->capture_default_str();
    app.add_option("--footprint", options.footprint,
                   "Memory that wp-fault writes, such as 4G (default: 1G, or 5% of what is "
                   "available if that is less)")
        ->check(check_footprint);
    app.add_flag("--pipes", work.pipes, "messaging goes through pipes, not sockets");
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    app.add_option("NAME", options->name, "The workload");
    app.add_flag("--names", options->names_only, "Print the workloads' names only");
    CLI::Option* ticks =
        app.add_option("-n,--ticks", options->workload.ticks, "Ticks of a second to count")
            ->check(CLI::Range(1u, kMostTicks))
            ->capture_default_str();
    app.add_option("-d,--duration", options->workload.ticks, "The same, in seconds")
        ->check(CLI::Range(1u, kMostTicks))
        ->excludes(ticks);
    app.add_option("-w,--warm-up", options->workload.warm_up_ticks, "Seconds to run before")
        ->check(CLI::Range(0u, kMostTicks))
        ->capture_default_str();
    add_work_options(app, *options);
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
