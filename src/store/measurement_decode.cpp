// JSON to Measurement; the first thing that is wrong is told with its place, such as
// "repetitions[2].targets[0].sites[0].figures.entries".
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "store/finding_json.h"
#include "store/json_members.h"
#include "store/measurement_file.h"
#include "store/target_json.h"

namespace kcost {
namespace {

using model::Mode;

Mode mode(Reader& in, const Field& at) {
    const std::string word = in.text(at);
    for (Mode mode : {Mode::kBare, Mode::kProbed, Mode::kSampled}) {
        if (word == to_string(mode)) return mode;
    }
    in.wrong(at.place(), "is none of bare, probed, sampled");
    return Mode::kBare;
}

std::string text(Reader& in, const Field& at) { return in.text(at); }

model::Metric metric(Reader& in, const Field& at) {
    return {.name = in.text(in.member(at, "name")),
            .unit = in.text(in.member(at, "unit")),
            .higher_is_better = in.boolean(in.member(at, "higher_is_better")),
            .source = in.text(in.member(at, "source"))};
}

model::MeasuredWorkload workload(Reader& in, const Field& at) {
    return {.name = in.text(in.member(at, "name")),
            .command = in.texts(in.member(at, "command")),
            .settings = in.list(in.member(at, "settings"), read_fact),
            .control = in.boolean(in.member(at, "control")),
            .unit = in.text(in.member(at, "unit")),
            .metrics = in.list(in.member(at, "metrics"), metric)};
}

model::Noise noise(Reader& in, const Field& at) {
    return {.kind = in.text(in.member(at, "kind")),
            .amount = in.decimal(in.member(at, "amount")),
            .says = in.text(in.member(at, "says"))};
}

model::Tick tick(Reader& in, const Field& at) {
    return {.elapsed_ns = in.number(in.member(at, "ns")),
            .units = in.list(in.member(at, "units"),
                             [](Reader& reader, const Field& it) { return reader.number(it); })};
}

model::Proof proof(Reader& in, const Field& at) {
    return {.what = in.text(in.member(at, "what")),
            .counted = in.number(in.member(at, "counted")),
            .units = in.number(in.member(at, "units"))};
}

model::TargetSamples target_samples(Reader& in, const Field& at) {
    return {.target = in.text(in.member(at, "target")),
            .samples = in.number(in.member(at, "samples"))};
}

std::optional<model::Sampled> sampled(Reader& in, const Field& at) {
    if (at.value.is_null()) return std::nullopt;
    return model::Sampled{
        .event = in.text(in.member(at, "event")),
        .cpus = in.list(in.member(at, "cpus"),
                        [](Reader& reader, const Field& it) { return reader.number32(it); }),
        .samples = in.number(in.member(at, "samples")),
        .kernel_samples = in.number(in.member(at, "kernel_samples")),
        .lost = in.number_or_null(in.member(at, "lost")),
        .masked_is_late = in.boolean(in.member(at, "masked_is_late")),
        .in_targets = in.list(in.member(at, "in_targets"), target_samples)};
}

model::Repetition repetition(Reader& in, const Field& at) {
    return {.workload = in.number(in.member(at, "workload")),
            .mode = mode(in, in.member(at, "mode")),
            .block = in.number32(in.member(at, "block")),
            .order = in.number32(in.member(at, "order")),
            .began_ns = in.number(in.member(at, "began_ns")),
            .took_ns = in.number(in.member(at, "took_ns")),
            .values = in.list(in.member(at, "values"),
                              [](Reader& reader, const Field& it) { return reader.decimal(it); }),
            .ticks = in.list(in.member(at, "ticks"), tick),
            .proof = proof(in, in.member(at, "proof")),
            .notes = in.texts(in.member(at, "notes")),
            .noise = in.list(in.member(at, "noise"), noise),
            .kernel_instructions = in.number_or_null(in.member(at, "kernel_instructions")),
            .operations = in.number(in.member(at, "operations")),
            .window_ns = in.number(in.member(at, "window_ns")),
            .targets = in.list(in.member(at, "targets"), read_target),
            .gaps = in.list(in.member(at, "gaps"), read_gap),
            .sampled = sampled(in, in.member(at, "sampled"))};
}

model::Failure failure(Reader& in, const Field& at) {
    return {.workload = in.number(in.member(at, "workload")),
            .mode = mode(in, in.member(at, "mode")),
            .order = in.number32(in.member(at, "order")),
            .cause = in.text(in.member(at, "cause")),
            .remedy = in.text(in.member(at, "remedy"))};
}

model::KernelIdentity kernel(Reader& in, const Field& at) {
    return {.release = in.text(in.member(at, "release")),
            .version = in.text(in.member(at, "version")),
            .build_id = in.text(in.member(at, "build_id")),
            .text_layout = in.text(in.member(at, "text_layout"))};
}

model::MeasuredSession session(Reader& in, const Field& at) {
    return {.boot_id = in.text(in.member(at, "boot_id")),
            .started_at = in.text(in.member(at, "started_at")),
            .started_ns = in.number(in.member(at, "started_ns")),
            .seed = in.number(in.member(at, "seed")),
            .kcost_version = in.text(in.member(at, "kcost_version")),
            .machine = in.list(in.member(at, "machine"), read_fact),
            .kernel = kernel(in, in.member(at, "kernel")),
            .emulated = in.boolean(in.member(at, "emulated")),
            .patches = in.list(in.member(at, "patches"), read_evidence),
            .no_evidence = in.text(in.member(at, "no_evidence")),
            .repetitions = {},
            .failures = in.list(in.member(at, "failures"), failure),
            .noise = in.list(in.member(at, "noise"), noise),
            .warnings = in.texts(in.member(at, "warnings")),
            .ended = in.text(in.member(at, "ended")),
            .whole = in.boolean(in.member(at, "whole"))};
}

model::Look look(Reader& in, const Field& at) {
    return {.at = in.text(in.member(at, "at")),
            .repetitions = in.number(in.member(at, "repetitions")),
            .other_digest = in.text(in.member(at, "other_digest")),
            .other = in.text(in.member(at, "other"))};
}

// What has been read of the file so far.
struct State {
    Reader in;
    model::Measurement measurement;
    std::vector<std::pair<std::uint64_t, model::Repetition>> repetitions;  // with their session
    std::string format;
    std::uint64_t version = 0;
    std::set<std::string, std::less<>> seen;
};

// One row for each field of the top; a list's is called for each item.
struct TopField {
    std::string_view key;
    bool is_list;
    void (*read)(State&, const Field&);
};

template <auto Member, auto Read>
void append(State& s, const Field& at) {
    (s.measurement.*Member).push_back(Read(s.in, at));
}

void append_repetition(State& s, const Field& at) {
    const std::uint64_t session = s.in.number(s.in.member(at, "session"));
    s.repetitions.emplace_back(session, repetition(s.in, at));
}

using M = model::Measurement;
constexpr TopField kTopFields[] = {
    {"format", false, [](State& s, const Field& at) { s.format = s.in.text(at); }},
    {"version", false, [](State& s, const Field& at) { s.version = s.in.number(at); }},
    {"patch", false, [](State& s, const Field& at) { s.measurement.patch = s.in.text(at); }},
    {"targets", true, append<&M::targets, text>},
    {"workloads", true, append<&M::workloads, workload>},
    {"sessions", true, append<&M::sessions, session>},
    {"repetitions", true, append_repetition},
    {"looks", true, append<&M::looks, look>},
};

void take(State& state, const JsonMember& member) {
    const auto top = std::find_if(std::begin(kTopFields), std::end(kTopFields),
                                  [&](const TopField& f) { return f.key == member.key; });
    if (top == std::end(kTopFields)) return;  // a later version's
    const bool first = state.seen.emplace(member.key).second;
    // Format and version are wanted even of a file whose other fields cannot be read.
    const bool wanted = top->key == "format" || top->key == "version";
    if (state.in.error() && !wanted) return;
    const Field field{member.value, nullptr, top->key, member.index};
    if (top->is_list != member.index.has_value())
        return state.in.wrong(std::string(top->key), top->is_list ? "is no list" : "is a list");
    if (!top->is_list && !first) return state.in.wrong(std::string(top->key), "is given twice");
    top->read(state, field);
}

// Empty: its indices and lists fit the measurement.
std::string misfit(const M& measurement, const model::Repetition& it) {
    if (it.workload >= measurement.workloads.size()) return "workload is no workload's index";
    if (it.values.size() != measurement.workloads[it.workload].metrics.size())
        return "values has not one of each metric";
    const bool probed = it.mode == Mode::kProbed;
    if (probed && it.targets.size() != measurement.targets.size())
        return "targets has not one of each target";
    if ((it.mode == Mode::kSampled) != it.sampled.has_value())
        return "sampled is not there exactly where the mode is sampled";
    if (!it.sampled) return "";
    for (const model::TargetSamples& samples : it.sampled->in_targets) {
        const auto& targets = measurement.targets;
        if (std::find(targets.begin(), targets.end(), samples.target) == targets.end())
            return "sampled.in_targets has one that is no target";
    }
    return "";
}

// Puts repetitions into their sessions.
void place_repetitions(State& state) {
    for (std::size_t i = 0; i < state.repetitions.size(); i++) {
        auto& [session, it] = state.repetitions[i];
        if (session >= state.measurement.sessions.size())
            return state.in.wrong(fmt::format("repetitions[{}].session", i),
                                  "is no session's index");
        const std::string wrong = misfit(state.measurement, it);
        if (!wrong.empty()) return state.in.wrong(fmt::format("repetitions[{}]:", i), wrong);
        state.measurement.sessions[session].repetitions.push_back(std::move(it));
    }
}

void check_failures(State& state) {
    const M& measurement = state.measurement;
    for (std::size_t i = 0; i < measurement.sessions.size(); i++) {
        for (const model::Failure& failure : measurement.sessions[i].failures) {
            if (failure.workload >= measurement.workloads.size())
                return state.in.wrong(fmt::format("sessions[{}].failures", i),
                                      "has a workload that is no workload's index");
        }
    }
}

void check_missing(State& state) {
    for (const TopField& field : kTopFields)
        if (!field.is_list && !state.seen.contains(field.key))
            state.in.wrong(std::string(field.key), "is missing");
}

}  // namespace

Result<model::Measurement> decode_measurement(std::string_view json, const std::string& file) {
    State state;
    const auto broken = read_json_members(json, [&](const JsonMember& m) { take(state, m); });
    const std::string cannot = fmt::format("cannot read {}: ", escape_for_terminal(file));
    if (state.format == kMeasurementFormat && state.version > kMeasurementVersion)
        return fail(
            cannot + fmt::format("it is a measurement of version {}, this kcost reads up to {}",
                                 state.version, kMeasurementVersion),
            "read it with the kcost that wrote it, or a newer one");
    if (broken)
        return fail(cannot + escape_for_terminal(*broken),
                    "if it is a measurement, it was cut short or changed after it was written");
    if (state.format != kMeasurementFormat)
        return fail(cannot + "it is no measurement of kcost", "kcost measure -o FILE writes one");
    check_missing(state);
    if (state.version == 0) state.in.wrong("version", "is 0");
    if (!state.in.error()) place_repetitions(state);
    if (!state.in.error()) check_failures(state);
    if (state.in.error())
        return fail(cannot + escape_for_terminal(*state.in.error()),
                    "the file was changed after it was written, or its writer has a fault");
    return std::move(state.measurement);
}

}  // namespace kcost
