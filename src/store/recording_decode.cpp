// JSON to Recording. The first thing that is wrong is kept and told with its place, such as
// "targets[2].sites[0].figures.entries"; from then on everything reads as empty.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "store/json_members.h"
#include "store/json_reader.h"
#include "store/measurement_file.h"
#include "store/recording_file.h"
#include "store/recording_format.h"
#include "store/target_json.h"

namespace kcost {
namespace {

std::uint32_t number32(Reader& in, const Field& at) { return in.number32(at); }

std::string text(Reader& in, const Field& at) { return in.text(at); }

model::Payer payer(Reader& in, const Field& at) {
    return {.target = in.number(in.member(at, "target")),
            .tgid = in.number32(in.member(at, "tgid")),
            .comm = in.text(in.member(at, "comm")),
            .frames = in.list(in.member(at, "frames"), number32),
            .spans = in.number(in.member(at, "spans")),
            .total_ns = in.number(in.member(at, "total_ns"))};
}

// What has been read of the file so far.
struct State {
    Reader in;
    model::Recording recording;
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
    (s.recording.*Member).push_back(Read(s.in, at));
}

template <auto Member>
void set_text(State& s, const Field& at) {
    s.recording.*Member = s.in.text(at);
}

using R = model::Recording;
constexpr TopField kTopFields[] = {
    {"format", false, [](State& s, const Field& at) { s.format = s.in.text(at); }},
    {"version", false, [](State& s, const Field& at) { s.version = s.in.number(at); }},
    {"kcost_version", false, set_text<&R::kcost_version>},
    {"command_line", false, set_text<&R::command_line>},
    {"started_at", false, set_text<&R::started_at>},
    {"window_ns", false,
     [](State& s, const Field& at) { s.recording.window_ns = s.in.number(at); }},
    {"cpus", false, [](State& s, const Field& at) { s.recording.cpus = s.in.number32(at); }},
    {"payers_one_in", false,
     [](State& s, const Field& at) { s.recording.payers_one_in = s.in.number32(at); }},
    {"whole", false, [](State& s, const Field& at) { s.recording.whole = s.in.boolean(at); }},
    {"machine", true, append<&R::machine, read_fact>},
    {"gaps", true, append<&R::gaps, read_gap>},
    {"warnings", true, append<&R::warnings, text>},
    {"targets", true, append<&R::targets, read_target>},
    {"frame_names", true, append<&R::frame_names, text>},
    {"payers", true, append<&R::payers, payer>},
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

void check_indices(State& state) {
    const model::Recording& recording = state.recording;
    for (std::size_t i = 0; i < recording.payers.size(); ++i) {
        const model::Payer& payer = recording.payers[i];
        if (payer.target >= recording.targets.size())
            return state.in.wrong(fmt::format("payers[{}].target", i), "is no target's index");
        for (std::size_t f = 0; f < payer.frames.size(); ++f)
            if (payer.frames[f] >= recording.frame_names.size())
                return state.in.wrong(fmt::format("payers[{}].frames[{}]", i, f),
                                      "is no frame's index");
    }
}

void check_missing(State& state) {
    for (const TopField& field : kTopFields)
        if (!field.is_list && !state.seen.contains(field.key))
            state.in.wrong(std::string(field.key), "is missing");
}

}  // namespace

Result<model::Recording> decode_recording(std::string_view json, const std::string& file) {
    State state;
    const auto broken = read_json_members(json, [&](const JsonMember& m) { take(state, m); });
    const std::string cannot = fmt::format("cannot read {}: ", escape_for_terminal(file));
    if (state.format == kRecordingFormat && state.version > kRecordingVersion)
        return fail(
            cannot + fmt::format("it is a recording of version {}, this kcost reads up to {}",
                                 state.version, kRecordingVersion),
            "read it with the kcost that wrote it, or a newer one");
    if (broken)
        return fail(cannot + escape_for_terminal(*broken),
                    "if it is a recording, it was cut short or changed after it was written");
    if (state.format == kMeasurementFormat)
        return fail(cannot + "it is a measurement, not a recording", "kcost confirm reads it");
    if (state.format != kRecordingFormat)
        return fail(cannot + "it is no recording of kcost", "kcost record -o FILE writes one");
    check_missing(state);
    if (state.version == 0) state.in.wrong("version", "is 0");
    if (!state.in.error()) check_indices(state);
    if (state.in.error())
        return fail(cannot + escape_for_terminal(*state.in.error()),
                    "the file was changed after it was written, or its writer has a fault");
    return std::move(state.recording);
}

}  // namespace kcost
