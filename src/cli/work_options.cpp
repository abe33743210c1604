#include "cli/work_options.h"

#include "base/text.h"
#include "kernel/cpus.h"

namespace kcost {
namespace {

std::string check_cpus(const std::string& text) {
    auto cpus = kernel::parse_cpu_list(text);
    return cpus && !cpus->empty() ? "" : "not a list of CPUs, such as 0-3,8: " + text;
}

std::string check_footprint(const std::string& text) {
    return parse_bytes(text).value_or(0) > 0 ? "" : "not a size, such as 512M or 2G: " + text;
}

}  // namespace

void WorkOptions::add_to(CLI::App& app) {
    app.add_option("--cpu", cpus, "CPUs to pin to, such as 0-3,8")->check(check_cpus);
    app.add_option("--threads", workload.threads,
                   "Threads (of switch-pingpong pairs, of messaging groups)")
        ->check(CLI::Range(1u, 16'384u));
    app.add_option("--footprint", footprint,
                   "Memory that wp-fault writes, such as 4G (default: 1G, or 5% of what is "
                   "available if that is less)")
        ->check(check_footprint);
    app.add_flag("--pipes", workload.pipes, "messaging goes through pipes, not sockets");
}

Result<workload::WorkloadOptions> WorkOptions::parse(const Workload& chosen) const {
    const std::string name = chosen.name;
    if (!footprint.empty() && !chosen.has_footprint)
        return fail(name + " has no footprint", "leave --footprint out", ExitCode::kUsage);
    if (workload.pipes && !chosen.has_pipes)
        return fail(name + " has no choice of pipes", "leave --pipes out", ExitCode::kUsage);
    return parse_for_any(chosen);
}

workload::WorkloadOptions WorkOptions::parse_for_any(const Workload& chosen) const {
    workload::WorkloadOptions parsed = workload;
    parsed.pipes = parsed.pipes && chosen.has_pipes;
    if (!cpus.empty()) parsed.cpus = *kernel::parse_cpu_list(cpus);
    if (!footprint.empty() && chosen.has_footprint)
        parsed.footprint_bytes = *parse_bytes(footprint);
    return parsed;
}

bool WorkOptions::any() const {
    return !cpus.empty() || !footprint.empty() || workload.threads > 0 || workload.pipes;
}

}  // namespace kcost
