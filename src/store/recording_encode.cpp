// Recording to JSON: one line a target, payer or fact, each made and dropped by itself, so that a
// checkpoint costs little more memory than its text.
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "store/recording_file.h"
#include "store/recording_format.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;

// Every string of the file is spelled so: comm and symbols are bytes, JSON wants UTF-8.
Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }

template <typename T>
Json number_or_null(const std::optional<T>& number) {
    return number ? Json(*number) : Json(nullptr);
}

template <typename List, typename F>
Json list(const List& items, F to_json) {
    Json array = Json::array();
    for (const auto& item : items) array.push_back(to_json(item));
    return array;
}

Json figures(const model::Figures& f) {
    Json bins = Json::array();
    for (std::size_t bin = 0; bin < f.durations.bins.size(); ++bin)
        if (f.durations.bins[bin] > 0) bins.push_back({bin, f.durations.bins[bin]});
    return {{"entries", f.entries},
            {"spans", f.spans},
            {"rejected", f.rejected},
            {"total_ns", f.total_ns},
            {"self_ns", f.self_ns},
            {"max_ns", f.max_ns},
            {"bins", bins}};
}

Json split_row(const model::SplitRow& split) {
    return {{"value", number_or_null(split.value)},
            {"value_name", text(split.value_name)},
            {"caller", text(split.caller)},
            {"figures", figures(split.figures)}};
}

Json loss(const model::Loss& loss) {
    return {{"reason", text(loss.reason)},
            {"count", number_or_null(loss.count)},
            {"kind", kLossKinds[static_cast<std::size_t>(loss.kind)]}};
}

Json site(const model::Site& site) {
    return {{"function", text(site.function)},
            {"address", site.address},
            {"mechanism", text(site.mechanism)},
            {"reason", text(site.reason)},
            {"detail", text(site.detail)},
            {"repeated", site.repeated},
            {"upper_bound", site.upper_bound},
            {"counted_only", site.counted_only},
            {"counted_reason", text(site.counted_reason)},
            {"floor_ns", site.floor_ns},
            {"in_flight", site.in_flight},
            {"lost", list(site.lost, loss)},
            {"figures", figures(site.figures)},
            {"splits", list(site.splits, split_row)}};
}

Json skipped(const model::Skipped& skipped) {
    return {{"function", text(skipped.function)},
            {"reason", text(skipped.reason)},
            {"remedy", text(skipped.remedy)}};
}

Json target(const model::Target& target) {
    return {{"name", text(target.name)},
            {"summary", text(target.summary)},
            {"note", text(target.note)},
            {"never_preempted", target.never_preempted},
            {"filtered_by_result", target.filtered_by_result},
            {"sites", list(target.sites, site)},
            {"skipped", list(target.skipped, skipped)},
            {"sites_found", target.sites_found}};
}

Json payer(const model::Payer& payer) {
    return {{"target", payer.target}, {"tgid", payer.tgid},   {"comm", text(payer.comm)},
            {"frames", payer.frames}, {"spans", payer.spans}, {"total_ns", payer.total_ns}};
}

Json gap(const model::Gap& gap) {
    return {{"start_ns", gap.start_ns}, {"end_ns", gap.end_ns}, {"cause", text(gap.cause)}};
}

Json fact(const std::pair<std::string, std::string>& fact) {
    return Json::array({text(fact.first), text(fact.second)});
}

class Writer {
public:
    void member(const char* key, const Json& value) {
        open(key);
        text_ += value.dump();
    }

    template <typename List, typename F>
    void members(const char* key, const List& items, F to_json) {
        open(key);
        const char* before = "[\n";
        for (const auto& item : items) {
            text_ += before;
            text_ += to_json(item).dump();
            before = ",\n";
        }
        text_ += items.empty() ? "[]" : "\n]";
    }

    std::string finish() { return std::move(text_) + "\n}\n"; }

private:
    void open(const char* key) {
        text_ += text_.empty() ? "{\n\"" : ",\n\"";
        text_ += key;
        text_ += "\": ";
    }

    std::string text_;
};

}  // namespace

std::string encode_recording(const model::Recording& recording) {
    Writer out;
    out.member("format", kRecordingFormat);
    out.member("version", kRecordingVersion);
    out.member("kcost_version", text(recording.kcost_version));
    out.member("command_line", text(recording.command_line));
    out.member("started_at", text(recording.started_at));
    out.member("window_ns", recording.window_ns);
    out.member("cpus", recording.cpus);
    out.member("payers_one_in", recording.payers_one_in);
    out.member("whole", recording.whole);
    out.members("machine", recording.machine, fact);
    out.members("gaps", recording.gaps, gap);
    out.members("warnings", recording.warnings, text);
    out.members("targets", recording.targets, target);
    out.members("frame_names", recording.frame_names, text);
    out.members("payers", recording.payers, payer);
    return out.finish();
}

}  // namespace kcost
