// From the words of `kcost measure` to what is measured, and to the plan of its session.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>

#include "base/log.h"
#include "base/text.h"
#include "cli/measure_options.h"
#include "cli/run_workload.h"
#include "kernel/cgroup_memory.h"
#include "kernel/machine.h"
#include "patch/catalogue.h"
#include "store/measurement_file.h"
#include "workload/pin.h"
#include "workload/run_plan.h"

namespace kcost {
namespace {

using workload::MetricSource;

// Those that its effects are told from; without these all but those that need a breakpoint, which
// cost most.
std::vector<std::string> targets_of(const model::Patch& patch) {
    std::vector<std::string> names;
    for (const model::ExpectedEffect& effect : patch.effects) {
        const bool known = std::find(names.begin(), names.end(), effect.target) != names.end();
        if (!known && !effect.target.empty()) names.push_back(effect.target);
    }
    const bool of_effects = !names.empty();
    for (const std::string& name : patch.hot_paths) {
        const auto path = model::parse_target(name);
        if (!of_effects && path && path->mechanism != "hwbreak") names.push_back(name);
    }
    return names;
}

Result<std::vector<model::HotPath>> parse_targets(const std::vector<std::string>& names) {
    std::vector<model::HotPath> targets;
    for (const std::string& name : names) {
        auto target = model::parse_target(name);
        if (!target) return tl::unexpected(target.error());
        targets.push_back(std::move(*target));
    }
    return targets;
}

Result<void> check_subject(const MeasureWords& words, const MeasureSubject& subject) {
    const bool own = !subject.workloads.empty();
    if (!own && subject.command.empty())
        return fail("nothing to repeat", "kcost measure SLUG, -w WORKLOAD, or -- COMMAND",
                    ExitCode::kUsage);
    const bool of_command = !words.regexes.empty() || !words.pointers.empty() ||
                            words.operations > 0 || words.longest_s > 0 || !words.unit.empty() ||
                            words.lower_is_better;
    if (of_command && subject.command.empty())
        return fail("an option of COMMAND, and no COMMAND", "-- COMMAND at the end",
                    ExitCode::kUsage);
    if (!words.workloads.empty() && !subject.command.empty())
        return fail("a workload and a COMMAND to repeat", "one of them", ExitCode::kUsage);
    if (!subject.command.empty() && (words.work.any() || !subject.controls.empty()))
        return fail("an option of kcost's own workloads, and a COMMAND",
                    "leave --control, --cpu, --threads, --footprint and --pipes out; taskset pins "
                    "a COMMAND",
                    ExitCode::kUsage);
    const bool printed = !words.regexes.empty() || !words.pointers.empty();
    if (!printed && (!words.unit.empty() || words.lower_is_better))
        return fail("--unit and --lower-is-better are of what COMMAND prints",
                    "--metric-regex or --metric-json", ExitCode::kUsage);
    for (const auto* names : {&subject.workloads, &subject.controls}) {
        for (const std::string& name : *names) {
            auto found = find_workload(name);
            if (!found) return tl::unexpected(found.error());
        }
    }
    return {};
}

Result<MetricSource> checked(MetricSource source) {
    auto fine = workload::check(source);
    if (!fine) return tl::unexpected(fine.error());
    return source;
}

Result<std::vector<MetricSource>> metric_sources(const MeasureWords& words) {
    std::vector<MetricSource> sources;
    for (const auto& [kind, expressions] :
         {std::pair{MetricSource::Kind::kRegex, &words.regexes},
          std::pair{MetricSource::Kind::kJson, &words.pointers}}) {
        for (const std::string& expression : *expressions) {
            auto source = checked({kind, expression});
            if (!source) return tl::unexpected(source.error());
            sources.push_back(std::move(*source));
        }
    }
    if (sources.empty()) sources.push_back({});
    return sources;
}

model::Metric describe(const MetricSource& source, const MeasureWords& words) {
    switch (source.kind) {
        case MetricSource::Kind::kRegex:
            return {source.expression, words.unit, !words.lower_is_better,
                    "regex " + source.expression};
        case MetricSource::Kind::kJson:
            return {source.expression, words.unit, !words.lower_is_better,
                    "pointer " + source.expression};
        case MetricSource::Kind::kElapsed:
            break;
    }
    return {"elapsed", "s", false, "clock"};
}

// The footprint that sessions before this one had: memory differs a little from boot to boot.
std::uint64_t earlier_footprint_bytes(const model::Measurement& earlier, const std::string& name) {
    for (const model::MeasuredWorkload& workload : earlier.workloads) {
        if (workload.name != name) continue;
        for (const auto& [key, value] : workload.settings) {
            if (key == "footprint_bytes") return parse_number(value).value_or(0);
        }
    }
    return 0;
}

// A power of two, so that both sides have the same.
std::uint64_t rounded_footprint_bytes() {
    auto available = kernel::available_memory_bytes({});
    return available ? std::bit_floor(workload::default_footprint_bytes(*available)) : 0;
}

model::MeasuredWorkload describe(const Workload& own, const workload::RunPlan& plan) {
    model::MeasuredWorkload workload;
    const workload::WorkloadOptions& options = plan.options;
    workload.name = own.name;
    workload.unit = own.unit;
    workload.metrics = {{fmt::format("{} per second", own.unit), "/s", true, "units over time"}};
    workload.settings = {{"threads", std::to_string(options.threads)},
                         {"cpus", fmt::format("{}", fmt::join(plan.cpus, ","))},
                         {"ticks", std::to_string(options.ticks)},
                         {"warm_up", std::to_string(options.warm_up_ticks)},
                         {"seed", std::to_string(options.seed)}};
    if (own.has_footprint)
        workload.settings.emplace_back("footprint_bytes", std::to_string(options.footprint_bytes));
    if (own.has_pipes) workload.settings.emplace_back("pipes", options.pipes ? "yes" : "no");
    return workload;
}

class Planner {
public:
    Planner(const MeasureWords& words, const MeasureSubject& subject)
        : words_(words), subject_(subject) {}

    Result<MeasurePlan> make() {
        MeasurePlan plan;
        plan.file = output_file(words_, subject_);
        auto earlier = read_earlier(plan.file);
        if (!earlier) return tl::unexpected(earlier.error());
        earlier_ = std::move(*earlier);
        auto added = subject_.command.empty() ? add_own(plan) : add_command(plan);
        if (!added) return tl::unexpected(added.error());
        fill_in(plan);
        auto fits = check_fits(plan.measurement, plan.file);
        if (!fits) return tl::unexpected(fits.error());
        plan.measurement.sessions = std::move(earlier_.sessions);
        plan.measurement.looks = std::move(earlier_.looks);
        return plan;
    }

private:
    // None: an empty measurement.
    static Result<model::Measurement> read_earlier(const std::string& file) {
        if (::access(file.c_str(), F_OK) != 0) return model::Measurement{};
        auto earlier = load_measurement(file);
        if (!earlier)
            return fail(earlier.error().what, "-o another FILE: this one is not replaced",
                        ExitCode::kUsage);
        const auto& sessions = earlier->sessions;
        const bool empty = std::all_of(sessions.begin(), sessions.end(), [](const auto& session) {
            return session.repetitions.empty();
        });
        if (!empty) return earlier;
        log::info(escape_for_terminal(file) + " holds no finished repetition: it is begun anew");
        return model::Measurement{};
    }

    Result<void> add_own(MeasurePlan& plan) {
        auto taken = check_options();
        if (!taken) return taken;
        for (const std::string& name : subject_.workloads) {
            auto added = add_workload(plan, name, false);
            if (!added) return added;
        }
        for (const std::string& name : subject_.controls) {
            auto added = add_workload(plan, name, true);
            if (!added) return added;
        }
        return {};
    }

    // One that has it is enough: the others go without.
    Result<void> check_options() const {
        Result<void> refused;
        for (const std::string& name : subject_.workloads) {
            auto own = find_workload(name);
            if (!own) return tl::unexpected(own.error());
            auto options = words_.work.parse(**own);
            if (options) return {};
            refused = tl::unexpected(options.error());
        }
        return refused;
    }

    Result<void> add_workload(MeasurePlan& plan, const std::string& name, bool control) {
        auto own = find_workload(name);
        if (!own) return tl::unexpected(own.error());
        workload::WorkloadOptions options = words_.work.parse_for_any(**own);
        options.ticks = words_.ticks;
        options.warm_up_ticks = words_.warm_up_ticks;
        if ((*own)->has_footprint && options.footprint_bytes == 0)
            options.footprint_bytes = earlier_footprint_bytes(earlier_, name);
        if ((*own)->has_footprint && options.footprint_bytes == 0)
            options.footprint_bytes = rounded_footprint_bytes();
        auto allowed = workload::allowed_cpus();
        if (!allowed) return tl::unexpected(allowed.error());
        auto run = workload::plan_run(**own, options, *allowed, {});
        if (!run) return tl::unexpected(run.error());
        model::MeasuredWorkload workload = describe(**own, *run);
        workload.control = control;
        plan.measurement.workloads.push_back(std::move(workload));
        plan.works.push_back({.own = *own, .options = run->options, .command = {}, .metrics = {}});
        return {};
    }

    Result<void> add_command(MeasurePlan& plan) {
        auto sources = metric_sources(words_);
        if (!sources) return tl::unexpected(sources.error());
        model::MeasuredWorkload workload;
        workload.name = "command";
        workload.command = subject_.command;
        workload.unit = words_.operations ? "operations" : "";
        if (words_.operations)
            workload.settings = {{"operations", std::to_string(words_.operations)}};
        for (const MetricSource& source : *sources)
            workload.metrics.push_back(describe(source, words_));
        plan.measurement.workloads = {std::move(workload)};
        plan.works = {{.own = nullptr,
                       .options = {},
                       .command = subject_.command,
                       .metrics = std::move(*sources),
                       .operations = words_.operations}};
        return {};
    }

    void fill_in(MeasurePlan& plan) const {
        plan.measurement.patch = subject_.patch;
        plan.targets = subject_.targets;
        if (words_.bare_only || words_.aa) plan.targets.clear();
        for (const model::HotPath& target : plan.targets)
            plan.measurement.targets.push_back(target.name);
        plan.modes = {model::Mode::kBare};
        if (!plan.targets.empty())
            plan.modes = {model::Mode::kBare, model::Mode::kProbed, model::Mode::kSampled};
        plan.blocks = words_.blocks();
        plan.seed = words_.seed ? *words_.seed : std::random_device()();
        plan.precision = std::strtod(words_.precision.c_str(), nullptr) / 100;
        plan.budget_ns = static_cast<std::uint64_t>(words_.budget_s * 1e9);
        plan.longest_ns = static_cast<std::uint64_t>(words_.longest_s * 1e9);
        plan.allow_stops = words_.allow_stops;
        plan.patches_folder = words_.patches_folder;
    }

    Result<void> check_fits(const model::Measurement& wanted, const std::string& file) const {
        if (earlier_.workloads.empty()) return {};
        std::string what;
        if (earlier_.patch != wanted.patch)
            what = "another patch";
        else if (earlier_.targets != wanted.targets)
            what = "other targets";
        else if (earlier_.workloads != wanted.workloads)
            what = "other workloads, or the same with other settings";
        if (what.empty()) return {};
        return fail(fmt::format("cannot add to {}: it is of {}", escape_for_terminal(file), what),
                    "-o another FILE, or the options of its first session", ExitCode::kUsage);
    }

    const MeasureWords& words_;
    const MeasureSubject& subject_;
    model::Measurement earlier_;
};

}  // namespace

Result<MeasureSubject> choose_subject(const MeasureWords& words) {
    MeasureSubject subject;
    auto line = own_command_line();
    if (!line) return tl::unexpected(line.error());
    Words parted = part_words(words.words, *line);
    if (parted.before.size() > 1)
        return fail("more than one patch: " + parted.before[1], "write -- before a COMMAND",
                    ExitCode::kUsage);
    subject.command = std::move(parted.command);
    subject.workloads = words.workloads;
    subject.controls = words.controls;
    std::vector<std::string> targets = words.targets;
    if (!parted.before.empty()) {
        auto known = patch::read_one(
            words.patches_folder.empty() ? patch::catalogue_folder() : words.patches_folder,
            parted.before.front());
        if (!known) return tl::unexpected(known.error());
        const model::Patch& patch = known->patch;
        subject.patch = patch.slug;
        if (targets.empty()) targets = targets_of(patch);
        const bool own = subject.command.empty();
        if (own && subject.workloads.empty()) subject.workloads = {patch.workload.name};
        if (own && subject.controls.empty()) subject.controls = patch.workload.controls;
    }
    auto parsed = parse_targets(targets);
    if (!parsed) return tl::unexpected(parsed.error());
    subject.targets = std::move(*parsed);
    auto fine = check_subject(words, subject);
    if (!fine) return tl::unexpected(fine.error());
    return subject;
}

Result<MeasurePlan> make_measure_plan(const MeasureWords& words, const MeasureSubject& subject) {
    return Planner(words, subject).make();
}

std::string output_name(const MeasureWords& words, const MeasureSubject& subject) {
    if (!words.output.empty()) return words.output;
    const std::string name = !subject.patch.empty()       ? subject.patch
                             : !subject.workloads.empty() ? subject.workloads.front()
                                                          : "measurement";
    return name + (words.aa ? "-aa" : "") + "-{kernel}.kcost";
}

std::string output_file(const MeasureWords& words, const MeasureSubject& subject) {
    constexpr std::string_view kKernel = "{kernel}";
    constexpr std::size_t kDigits = 12;
    std::string file = output_name(words, subject);
    const std::size_t at = file.find(kKernel);
    if (at == file.npos) return file;
    const std::string id = kernel::fact(kernel::read_machine({}), "kernel.build_id");
    return file.replace(at, kKernel.size(), id.substr(0, kDigits));
}

}  // namespace kcost
