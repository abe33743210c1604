// kcost doctor: can kcost tell the truth on this machine? With --self-test it proves that.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/self_test.h"
#include "export/doctor_json.h"
#include "kernel/capability.h"
#include "kernel/machine.h"
#include "kernel/symbol_lookup.h"
#include "probe/floor.h"

namespace kcost {
namespace {

using State = Finding::State;
using probe::Mechanism;

struct DoctorOptions {
    bool self_test = false;
    bool json = false;
};

// Those that say what is measured here, and how far to trust it.
constexpr const char* kFactsShown[] = {
    "kernel.release",    "architecture",      "cpu.model",
    "cpu.midr",          "cpu.online",        "cpu.idc",
    "cpu.dic",           "cpu.icache",        "cpu.tlbi_repeat",
    "cpu.kpti",          "memory.page_size",  "hypervisor",
    "kernel.preemption", "kernel.pseudo_nmi", "clock.resolution_ns",
    "load.average"};

const char* word_of(State state) {
    switch (state) {
        case State::kOk:
            return "ok  ";
        case State::kBad:
            return "NO  ";
        case State::kSkipped:
            return "skip";
    }
    return "";
}

void print_finding(const Finding& found, std::size_t width) {
    fmt::print("  {} {:<{}}  {}\n", word_of(found.state), found.name, width,
               escape_for_terminal(found.detail));
    if (!found.remedy.empty()) fmt::print("       try: {}\n", escape_for_terminal(found.remedy));
}

std::vector<Finding> find_capabilities(const kernel::Root& root) {
    std::vector<Finding> findings;
    for (const kernel::Check& check : kernel::check_capabilities(root)) {
        findings.push_back(
            {check.name, check.ok ? State::kOk : State::kBad, check.detail, check.remedy});
    }
    return findings;
}

TriedMechanism describe(Mechanism mechanism, const probe::Trial& trial) {
    TriedMechanism tried;
    tried.finding.name = probe::name_of(mechanism);
    tried.floor_ns = trial.floor_ns;
    if (!trial.failure.empty()) {
        tried.finding.state = State::kBad;
        tried.finding.detail = trial.failure;
        return tried;
    }
    std::string cost = trial.floor_ns ? "a span of nothing costs " + format_ns(trial.floor_ns)
                                      : "it only counts here";
    tried.finding.detail = fmt::format("{}: {} of {} calls counted; {}", trial.function,
                                       std::min(trial.counted, trial.calls), trial.calls, cost);
    return tried;
}

Diagnosis diagnose() {
    kernel::Root root;
    Diagnosis diagnosis;
    diagnosis.kcost_version = KCOST_VERSION;
    diagnosis.capabilities = find_capabilities(root);
    for (const auto& [mechanism, trial] : probe::try_mechanisms(root)) {
        TriedMechanism tried = describe(mechanism, trial);
        bool of_kernel = mechanism != Mechanism::kUser;
        bool works = tried.finding.state == State::kOk;
        // The planner takes the first that works, too.
        if (of_kernel && works && diagnosis.kernel_mechanism.empty()) {
            diagnosis.kernel_mechanism = tried.finding.name;
        }
        diagnosis.mechanisms.push_back(std::move(tried));
    }
    // Without addresses no target of the kernel is planned, whatever attaches.
    if (!kernel::find_many(root, {"vfs_read"})) diagnosis.kernel_mechanism.clear();
    diagnosis.machine = kernel::read_machine(root);
    diagnosis.emulated = kernel::fact(diagnosis.machine, "emulated");
    return diagnosis;
}

void print_findings(const std::vector<Finding>& findings) {
    std::size_t width = 0;
    for (const Finding& found : findings) width = std::max(width, found.name.size());
    for (const Finding& found : findings) print_finding(found, width);
}

void print_mechanisms(const Diagnosis& diagnosis) {
    std::vector<Finding> findings;
    for (const TriedMechanism& tried : diagnosis.mechanisms) findings.push_back(tried.finding);
    print_findings(findings);
}

const char* trust_in_time(const std::string& emulated) {
    if (emulated == "no") return "true";
    if (emulated == "yes") return "not true: the CPU is emulated; counts are true";
    return "doubtful: the CPU may be emulated; counts are true";
}

void print_machine(const Diagnosis& diagnosis) {
    for (const char* key : kFactsShown) {
        std::string value = kernel::fact(diagnosis.machine, key);
        fmt::print("  {:<20} {}\n", key, escape_for_terminal(value));
    }
    std::string reason = kernel::fact(diagnosis.machine, "emulated.reason");
    fmt::print("  {:<20} {} ({})\n", "time", trust_in_time(diagnosis.emulated),
               escape_for_terminal(reason));
}

void print_page(const Diagnosis& diagnosis) {
    fmt::print("kcost {}: what it may do here\n", diagnosis.kcost_version);
    print_findings(diagnosis.capabilities);
    fmt::print("mechanisms, tried\n");
    print_mechanisms(diagnosis);
    fmt::print("machine\n");
    print_machine(diagnosis);
    if (diagnosis.kernel_mechanism.empty()) {
        fmt::print("kernel functions cannot be measured here\n");
    } else {
        fmt::print("kernel functions are measured by {}; kcost doctor --self-test proves it\n",
                   diagnosis.kernel_mechanism);
    }
}

void print_check(const Finding& found) {
    const char* word = found.state == State::kBad ? "FAIL" : word_of(found.state);
    std::string hint = found.remedy.empty() ? "" : " (try: " + found.remedy + ")";
    fmt::print("{} {}: {}{}\n", word, found.name, escape_for_terminal(found.detail),
               escape_for_terminal(hint));
    std::fflush(stdout);
}

std::size_t count(const std::vector<Finding>& findings, State state) {
    return std::count_if(findings.begin(), findings.end(),
                         [&](const Finding& found) { return found.state == state; });
}

void print_floors(const Diagnosis& diagnosis) {
    std::string costs;
    for (const TriedMechanism& tried : diagnosis.mechanisms) {
        std::string cost = tried.floor_ns ? fmt::format("{} ns", tried.floor_ns) : "not possible";
        costs += fmt::format("{}{} {}", costs.empty() ? "" : ", ", tried.finding.name, cost);
    }
    fmt::print("a span of nothing costs: {}\n", costs);
    if (diagnosis.emulated != "no") fmt::print("time: {}\n", trust_in_time(diagnosis.emulated));
}

void print_summary(const std::vector<Finding>& findings) {
    std::size_t failed = count(findings, State::kBad);
    std::size_t passed = count(findings, State::kOk);
    const char* meaning = failed   ? "kcost does not count right here"
                          : passed ? "kcost counts right here"
                                   : "nothing could be checked";
    fmt::print("{} passed, {} failed, {} skipped: {}\n", passed, failed,
               count(findings, State::kSkipped), meaning);
}

ExitCode exit_code(const Diagnosis& diagnosis) {
    if (!diagnosis.self_test) {
        return diagnosis.kernel_mechanism.empty() ? ExitCode::kCannotHere : ExitCode::kDone;
    }
    if (count(*diagnosis.self_test, State::kBad)) return ExitCode::kFailed;
    return count(*diagnosis.self_test, State::kOk) ? ExitCode::kDone : ExitCode::kCannotHere;
}

Result<int> doctor(const DoctorOptions& options) {
    Diagnosis diagnosis = diagnose();
    if (options.self_test) {
        auto checks = run_self_test(options.json ? nullptr : print_check);
        if (!checks) return tl::unexpected(checks.error());
        diagnosis.self_test = std::move(*checks);
    }
    if (options.json) {
        fmt::print("{}", render_doctor_json(diagnosis));
    } else if (options.self_test) {
        print_floors(diagnosis);
        print_summary(*diagnosis.self_test);
    } else {
        print_page(diagnosis);
    }
    return static_cast<int>(exit_code(diagnosis));
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<DoctorOptions>();
    app.add_flag("--self-test", options->self_test,
                 "Count work whose number of hits is known, in under ten seconds");
    app.add_flag("--json", options->json, "Print all of it as JSON");
    return [options] { return doctor(*options); };
}

}  // namespace

extern const Command kCommandDoctor = {
    "doctor", "Tell whether kcost can tell the truth here, and prove it", set_up};

}  // namespace kcost
