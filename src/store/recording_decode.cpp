// JSON to Recording. The first thing that is wrong is kept and told with its place, such as
// "targets[2].sites[0].figures.entries"; from then on everything reads as empty.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/text.h"
#include "store/json_members.h"
#include "store/recording_file.h"
#include "store/recording_format.h"

namespace kcost {
namespace {

using Json = nlohmann::json;

// A value and where it stands. Lives on the stack below its parent.
struct Field {
    const Json& value;
    const Field* parent = nullptr;
    std::string_view key;
    std::optional<std::size_t> index;

    std::string place() const {
        std::string place = parent == nullptr ? "" : parent->place();
        if (!place.empty() && !key.empty()) place += '.';
        place += key;
        if (index) place += fmt::format("[{}]", *index);
        return place;
    }
};

class Reader {
public:
    void wrong(const std::string& place, std::string_view why) {
        if (!error_) error_ = fmt::format("{} {}", place, why);
    }
    const std::optional<std::string>& error() const { return error_; }

    std::uint64_t number(const Field& field,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
        const bool whole = field.value.is_number_unsigned();
        if (whole && field.value.get<std::uint64_t>() <= most)
            return field.value.get<std::uint64_t>();
        wrong(field.place(), fmt::format("is no whole number from 0 to {}", most));
        return 0;
    }

    std::optional<std::uint64_t> number_or_null(const Field& field) {
        if (field.value.is_null()) return std::nullopt;
        return number(field);
    }

    bool boolean(const Field& field) {
        if (!field.value.is_boolean()) wrong(field.place(), "is neither true nor false");
        return field.value.is_boolean() && field.value.get<bool>();
    }

    std::string text(const Field& field) {
        if (!field.value.is_string()) {
            wrong(field.place(), "is no text");
            return {};
        }
        auto bytes = utf8_to_bytes(field.value.get_ref<const std::string&>());
        if (!bytes) wrong(field.place(), "has a backslash that is followed by neither \\ nor xHH");
        return std::move(bytes).value_or("");
    }

    Field member(const Field& object, std::string_view key) {
        static const Json kNull;
        if (object.value.is_object()) {
            const auto found = object.value.find(key);
            if (found != object.value.end()) return {*found, &object, key, {}};
            wrong(Field{kNull, &object, key, {}}.place(), "is missing");
        } else {
            wrong(object.place(), "is no object");
        }
        return {kNull, &object, key, {}};
    }

    /// A field that was added since the version's first files: they read as if it were this.
    Field later_member(const Field& object, std::string_view key, const Json& absent) {
        const bool there = object.value.is_object() && object.value.contains(key);
        return there ? member(object, key) : Field{absent, &object, key, {}};
    }

    /// The item of a list, where it must have that many.
    bool is_list(const Field& field, std::optional<std::size_t> size = {}) {
        const bool fits = field.value.is_array() && (!size || field.value.size() == *size);
        if (!fits)
            wrong(field.place(), size ? fmt::format("is no list of {}", *size) : "is no list");
        return fits;
    }

    template <typename F>
    auto list(const Field& field, F read) {
        std::vector<decltype(read(*this, field))> items;
        if (!is_list(field)) return items;
        items.reserve(field.value.size());
        for (std::size_t i = 0; i < field.value.size() && !error_; ++i)
            items.push_back(read(*this, Field{field.value[i], &field, "", i}));
        return items;
    }

private:
    std::optional<std::string> error_;
};

std::uint32_t number32(Reader& in, const Field& at) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(in.number(at, kMost));
}

std::string text(Reader& in, const Field& at) { return in.text(at); }

model::Histogram durations(Reader& in, const Field& at) {
    model::Histogram histogram;
    if (!in.is_list(at) || at.value.empty()) return histogram;
    histogram.bins.resize(KC_BINS);
    for (std::size_t i = 0; i < at.value.size(); ++i) {
        const Field pair{at.value[i], &at, "", i};
        if (!in.is_list(pair, 2)) break;
        const std::uint64_t bin = in.number({pair.value[0], &pair, "", 0}, KC_BINS - 1);
        if (histogram.bins[bin] != 0) in.wrong(pair.place(), "is a bin given twice");
        histogram.bins[bin] = in.number({pair.value[1], &pair, "", 1});
    }
    return histogram;
}

model::Figures figures(Reader& in, const Field& at) {
    return {.entries = in.number(in.member(at, "entries")),
            .spans = in.number(in.member(at, "spans")),
            .rejected = in.number(in.member(at, "rejected")),
            .total_ns = in.number(in.member(at, "total_ns")),
            .self_ns = in.number(in.member(at, "self_ns")),
            .max_ns = in.number(in.member(at, "max_ns")),
            .durations = durations(in, in.member(at, "bins"))};
}

model::SplitRow split_row(Reader& in, const Field& at) {
    return {.value = in.number_or_null(in.member(at, "value")),
            .caller = in.text(in.member(at, "caller")),
            .value_name = in.text(in.member(at, "value_name")),
            .figures = figures(in, in.member(at, "figures"))};
}

model::Loss::Kind loss_kind(Reader& in, const Field& at) {
    const std::string word = in.text(at);
    const auto kind = std::find(kLossKinds.begin(), kLossKinds.end(), word);
    if (kind != kLossKinds.end()) return static_cast<model::Loss::Kind>(kind - kLossKinds.begin());
    in.wrong(at.place(), fmt::format("is none of {}", fmt::join(kLossKinds, ", ")));
    return {};
}

model::Loss loss(Reader& in, const Field& at) {
    return {.reason = in.text(in.member(at, "reason")),
            .count = in.number_or_null(in.member(at, "count")),
            .kind = loss_kind(in, in.member(at, "kind"))};
}

const Json kNoText = "";
const Json kNo = false;
const Json kNone = 0u;

model::Site site(Reader& in, const Field& at) {
    return {.function = in.text(in.member(at, "function")),
            .address = in.number(in.member(at, "address")),
            .mechanism = in.text(in.member(at, "mechanism")),
            .reason = in.text(in.member(at, "reason")),
            .detail = in.text(in.later_member(at, "detail", kNoText)),
            .repeated = in.boolean(in.later_member(at, "repeated", kNo)),
            .counted_only = in.boolean(in.member(at, "counted_only")),
            .counted_reason = in.text(in.later_member(at, "counted_reason", kNoText)),
            .upper_bound = in.boolean(in.later_member(at, "upper_bound", kNo)),
            .figures = figures(in, in.member(at, "figures")),
            .splits = in.list(in.member(at, "splits"), split_row),
            .in_flight = in.number(in.member(at, "in_flight")),
            .lost = in.list(in.member(at, "lost"), loss),
            .floor_ns = in.number(in.member(at, "floor_ns"))};
}

model::Skipped skipped(Reader& in, const Field& at) {
    return {.function = in.text(in.member(at, "function")),
            .reason = in.text(in.member(at, "reason")),
            .remedy = in.text(in.member(at, "remedy"))};
}

model::Target target(Reader& in, const Field& at) {
    return {.name = in.text(in.member(at, "name")),
            .summary = in.text(in.member(at, "summary")),
            .note = in.text(in.member(at, "note")),
            .never_preempted = in.boolean(in.member(at, "never_preempted")),
            .filtered_by_result = in.boolean(in.member(at, "filtered_by_result")),
            .sites = in.list(in.member(at, "sites"), site),
            .skipped = in.list(in.member(at, "skipped"), skipped),
            .sites_found = in.number(in.later_member(at, "sites_found", kNone))};
}

model::Payer payer(Reader& in, const Field& at) {
    return {.target = in.number(in.member(at, "target")),
            .tgid = number32(in, in.member(at, "tgid")),
            .comm = in.text(in.member(at, "comm")),
            .frames = in.list(in.member(at, "frames"), number32),
            .spans = in.number(in.member(at, "spans")),
            .total_ns = in.number(in.member(at, "total_ns"))};
}

model::Gap gap(Reader& in, const Field& at) {
    return {.start_ns = in.number(in.member(at, "start_ns")),
            .end_ns = in.number(in.member(at, "end_ns")),
            .cause = in.text(in.member(at, "cause"))};
}

std::pair<std::string, std::string> fact(Reader& in, const Field& at) {
    if (!in.is_list(at, 2)) return {};
    return {in.text({at.value[0], &at, "", 0}), in.text({at.value[1], &at, "", 1})};
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
    {"cpus", false, [](State& s, const Field& at) { s.recording.cpus = number32(s.in, at); }},
    {"payers_one_in", false,
     [](State& s, const Field& at) { s.recording.payers_one_in = number32(s.in, at); }},
    {"whole", false, [](State& s, const Field& at) { s.recording.whole = s.in.boolean(at); }},
    {"machine", true, append<&R::machine, fact>},
    {"gaps", true, append<&R::gaps, gap>},
    {"warnings", true, append<&R::warnings, text>},
    {"targets", true, append<&R::targets, target>},
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
