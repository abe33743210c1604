// A measurement with one of everything, for the tests of what reads measurements.
#pragma once

#include "model/measurement.h"
#include "sample.h"

namespace kcost::test {

inline model::Repetition sample_bare(std::size_t workload, unsigned order, double value) {
    model::Repetition it;
    it.workload = workload;
    it.block = order / 3;
    it.order = order;
    it.began_ns = 1'000'000'000ull * order;
    it.took_ns = 7'000'000'000;
    it.values = {value};
    it.ticks = {{1'000'000'100, {40, 41}}, {1'000'000'200, {42, 43}}};
    it.proof = {"hits of the probe", 1000, 1001};
    it.kernel_instructions = 123'456'789;
    return it;
}

inline model::Repetition sample_probed(unsigned order, double value) {
    model::Repetition it = sample_bare(0, order, value);
    it.mode = model::Mode::kProbed;
    it.operations = 20'000;
    it.window_ns = 7'000'000'000;
    it.targets = {sample_icache_flush(), sample_page_reuse()};
    it.gaps = {{1, 2, "kcost was stopped"}};
    return it;
}

inline model::Repetition sample_sampled(unsigned order, double value) {
    model::Repetition it = sample_bare(0, order, value);
    it.mode = model::Mode::kSampled;
    it.sampled = model::Sampled{.event = "cycles",
                                .cpus = {0, 1},
                                .samples = 40'000,
                                .kernel_samples = 30'000,
                                .lost = std::nullopt,
                                .masked_is_late = true,
                                .in_targets = {{"icache-flush", 9'000}, {"page-reuse", 0}}};
    it.noise = {{"frequency", 0.12, "the frequency fell by 12%"}};
    return it;
}

inline model::PatchEvidence sample_evidence() {
    model::FactFinding fact;
    fact.name = "skips";
    fact.claim = "a way to a return without a call of sync_icache_aliases";
    fact.where = "arch_uprobe_copy_ixol";
    fact.value = model::FactFinding::Value::kNo;
    fact.instructions = {
        {0xffff800080031234, 0x94000123, "arch_uprobe_copy_ixol+0x74", "bl sync_icache_aliases"}};
    model::FactFinding unknown;
    unknown.name = "pool";
    unknown.reason = "no types";
    unknown.remedy = "CONFIG_DEBUG_INFO_BTF";
    return {"uprobe-xol-flush",
            {model::Evidence::kAbsent,
             "",
             "every hit that uses a slot flushes caches",
             "",
             {fact, unknown}}};
}

inline model::MeasuredSession sample_session(const std::string& boot_id) {
    model::MeasuredSession session;
    session.boot_id = boot_id;
    session.started_at = "2026-11-30T12:00:00Z";
    session.started_ns = 77;
    session.seed = 0xffffffffffffffff;
    session.kcost_version = "0.1.0";
    session.machine = {{"kernel.release", "6.12.107"}, {"emulated", "qemu tcg"}};
    session.kernel = {"6.12.107", "#1 SMP Debian", "0123abcd", "89abcdef01234567"};
    session.emulated = true;
    session.patches = {sample_evidence()};
    session.warnings = {"pseudo-NMI is off"};
    return session;
}

inline model::Measurement sample_measurement() {
    model::Measurement m;
    m.patch = "uprobe-xol-flush";
    m.targets = {"icache-flush", "page-reuse"};
    m.workloads = {
        {"uprobe-push",
         {},
         {{"threads", "2"}, {"cpus", "0-1"}},
         false,
         "hits",
         {{"hits per second", "/s", true, "units over time"}}},
        {"command", {"make", "-j\xff"}, {}, true, "", {{"elapsed", "s", false, "clock"}}}};
    m.sessions = {sample_session("boot-1"), sample_session("boot-2")};
    m.sessions[0].repetitions = {sample_bare(0, 0, 0.1), sample_probed(1, 81.5),
                                 sample_sampled(2, 82), sample_bare(1, 3, 1e-300)};
    m.sessions[0].ended = "all repetitions done";
    m.sessions[0].whole = true;
    m.sessions[1].repetitions = {sample_bare(0, 0, 83)};
    m.sessions[1].failures = {
        {1, model::Mode::kProbed, 1, "cannot run make: it printed no metric", "--metric-regex"}};
    m.sessions[1].noise = {{"thermal", 0, "the CPU was throttled 3 times"}};
    m.sessions[1].ended = "cannot run make: it printed no metric";
    m.looks = {{"2026-11-30T13:00:00Z", 5, "89abcdef", "0123abcd"}};
    return m;
}

}  // namespace kcost::test
