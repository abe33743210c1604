// Both sides of a patch as it should be: five boots each, an I-cache flush per hit before and none
// after, hits twice as fast, the control still.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/measurement.h"
#include "model/patch.h"

namespace kcost::test {

struct SideOptions {
    std::string name = "before";
    double rate = 0.4e6;             ///< of uprobe-push
    double control_rate = 2.0e6;     ///< of uprobe-ret
    std::uint64_t flushes = 20'000;  ///< per 20,000 probed hits
    unsigned boots = 5;
    unsigned repetitions = 4;  ///< bare ones a boot
    double spread = 0.003;     ///< of boots
    std::string mechanism = "fentry";
    model::Evidence evidence = model::Evidence::kAbsent;
};

// Deterministic, alike on both sides, and never twice the same.
inline double wobble(unsigned boot, unsigned repetition, double spread) {
    constexpr double kBoots[] = {0.3, -1.1, 0.9, -0.4, 0.6, -0.7, 1.2, -0.2, 0.1, -0.9};
    constexpr double kRepetitions[] = {0.2, -0.3, 0.25, -0.1};
    return 1 + spread * (kBoots[boot % 10] + kRepetitions[repetition % 4]);
}

inline model::Target flush_target(const SideOptions& options) {
    model::Figures figures{.entries = options.flushes,
                           .spans = options.flushes,
                           .total_ns = options.flushes * 1000,
                           .self_ns = options.flushes * 1000,
                           .max_ns = 1000,
                           .durations = {}};
    model::Site site{.function = "sync_icache_aliases",
                     .mechanism = options.mechanism,
                     .reason = "",
                     .figures = figures,
                     .splits = {},
                     .lost = {},
                     .floor_ns = 100};
    model::SplitRow other{65536, "__sync_icache_dcache+0xa0", "length", {}};
    other.figures.entries = 3;
    site.splits = {{4, "arch_uprobe_copy_ixol+0x64", "length", figures}, other};
    site.figures.entries += 3;
    model::Target target;
    target.name = "icache-flush";
    target.sites = {site};
    return target;
}

inline model::Repetition repetition(std::size_t workload, model::Mode mode, double value) {
    model::Repetition it;
    it.workload = workload;
    it.mode = mode;
    it.values = {value};
    it.took_ns = 7'000'000'000;
    return it;
}

inline void add_repetitions(const SideOptions& options, unsigned boot,
                            model::MeasuredSession& session) {
    const auto add = [&](model::Repetition it) {
        it.order = static_cast<unsigned>(session.repetitions.size());
        it.began_ns = 8'000'000'000ull * (it.order + 1);
        session.repetitions.push_back(std::move(it));
    };
    for (unsigned i = 0; i < options.repetitions; ++i) {
        const double by = wobble(boot, i, options.spread);
        add(repetition(0, model::Mode::kBare, options.rate * by));
        add(repetition(1, model::Mode::kBare,
                       options.control_rate * wobble(boot, i, options.spread / 2)));
    }
    model::Repetition probed = repetition(0, model::Mode::kProbed, options.rate * 0.7);
    probed.operations = 20'000;
    probed.targets = {flush_target(options)};
    add(probed);
    SideOptions no_flush = options;
    no_flush.flushes = 0;
    probed.workload = 1;
    probed.targets = {flush_target(no_flush)};
    add(probed);
    model::Repetition sampled = repetition(0, model::Mode::kSampled, options.rate);
    sampled.sampled = model::Sampled{.event = "cycles",
                                     .cpus = {1},
                                     .samples = 10'000,
                                     .kernel_samples = 9'000,
                                     .lost = 0,
                                     .masked_is_late = false,
                                     .in_targets = {{"icache-flush", options.flushes / 6}}};
    add(sampled);
}

inline model::PatchEvidence evidence_of(const SideOptions& options) {
    model::FactFinding fact;
    fact.name = "skips";
    fact.claim = "returns without calling sync_icache_aliases";
    fact.where = "arch_uprobe_copy_ixol";
    fact.value = options.evidence == model::Evidence::kPresent ? model::FactFinding::Value::kYes
                                                               : model::FactFinding::Value::kNo;
    fact.instructions = {{0xffff800080031234, 0x94000123, "arch_uprobe_copy_ixol+0x64",
                          "bl #0xffff800080031918 <sync_icache_aliases>"}};
    model::PatchFinding finding;
    finding.evidence = options.evidence;
    finding.why = options.evidence == model::Evidence::kPresent
                      ? "a hit can leave the slot without flushing caches"
                      : "every hit that uses a slot flushes caches";
    finding.facts = {fact};
    return {"uprobe-xol-flush", finding};
}

inline model::MeasuredSession session_of(const SideOptions& options, unsigned boot) {
    model::MeasuredSession session;
    session.boot_id = options.name + "-" + std::to_string(boot + 1);
    session.started_at = "2026-11-30T12:0" + std::to_string(boot % 10) + ":00Z";
    session.kernel = {"6.12.95-" + options.name, "#1 SMP", "build-" + options.name, options.name};
    session.machine = {
        {"kernel.release", session.kernel.release},
        {"kernel.boot_id", session.boot_id},
        {"kernel.config.digest", "fnv1a64:1"},
        {"kernel.preemption", "full"},
        {"kernel.pseudo_nmi", "no"},
        {"architecture", "aarch64"},
        {"cpu.midr", "0x00000000410fd083"},
        {"cpu.revidr", "0x0"},
        {"cpu.model", "Cortex-A72"},
        {"cpu.online_list", "0-3"},
        {"cpu.isolated", "none"},
        {"numa.nodes", "1"},
        {"cpu.governor", "performance"},
        {"cpu.frequency_limits_khz", "2400000-2400000"},
        {"cpu.smt", "notsupported"},
        {"cpu.mitigations", "not affected by any"},
        {"cpu.kpti", "no"},
        {"memory.total_bytes", options.name == "after" ? "8000000000" : "8001000000"},
        {"memory.page_size", "4096"},
        {"memory.thp", "madvise"},
        {"hypervisor", "none"},
        {"emulated", "no"}};
    session.patches = {evidence_of(options)};
    session.ended = "all repetitions done";
    session.whole = true;
    add_repetitions(options, boot, session);
    return session;
}

inline model::Measurement side_of(const SideOptions& options) {
    const std::vector<model::Metric> metrics = {{"hits per second", "/s", true, "units over time"}};
    model::Measurement side;
    side.patch = "uprobe-xol-flush";
    side.targets = {"icache-flush"};
    side.workloads = {
        {"uprobe-push", {}, {{"threads", "1"}, {"seed", "1"}}, false, "hits", metrics},
        {"uprobe-ret", {}, {{"threads", "1"}, {"seed", "1"}}, true, "hits", metrics}};
    for (unsigned boot = 0; boot < options.boots; ++boot)
        side.sessions.push_back(session_of(options, boot));
    return side;
}

inline SideOptions after_options() {
    SideOptions options;
    options.name = "after";
    options.rate = 0.9e6;
    options.flushes = 0;
    options.evidence = model::Evidence::kPresent;
    return options;
}

inline model::Measurement before_side() { return side_of({}); }
inline model::Measurement after_side() { return side_of(after_options()); }

inline void set_fact(model::Measurement& side, const std::string& key, const std::string& value) {
    for (model::MeasuredSession& session : side.sessions)
        for (auto& [name, held] : session.machine)
            if (name == key) held = value;
}

inline model::Patch xol_flush() {
    model::Patch patch;
    patch.slug = "uprobe-xol-flush";
    patch.title = "Skip the cache flush when a uprobe's slot already holds the instruction";
    patch.hot_paths = {"icache-flush"};
    patch.workload.name = "uprobe-push";
    patch.workload.controls = {"uprobe-ret"};
    patch.workload.other_causes = {{"uprobe-nop", "a probed nop is simulated since 6.13"}};
    model::ExpectedEffect effect;
    effect.name = "flushes of the slot";
    effect.target = "icache-flush";
    effect.value = 4;
    effect.caller = "arch_uprobe_copy_ixol";
    patch.effects = {effect};
    model::PublishedFigure push;
    push.name = "uprobe-push";
    push.before = model::Printed{0.411, 3, 0.005, "0.411 ± 0.005"};
    push.after = model::Printed{0.910, 3, 0.001, "0.910 ± 0.001"};
    push.unit = "M/s";
    model::PublishedFigure nop = push;
    nop.name = "uprobe-nop";
    patch.published = {{"Kunpeng 916", "a list", "sd", std::nullopt, {push, nop}}};
    return patch;
}

}  // namespace kcost::test
