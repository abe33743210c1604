// "json": everything, for programs. Its fields are described in docs/recording-format.md. Strings
// are spelled as in the recording, so that hostile bytes survive.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "export/export.h"
#include "model/figures.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;
using model::Figures;
using model::Loss;
using model::Recording;
using model::Site;
using model::Target;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }

template <typename List, typename F>
Json list(const List& items, F to_json) {
    Json array = Json::array();
    for (const auto& item : items) array.push_back(to_json(item));
    return array;
}

template <typename T>
Json null_unless(bool known, T value) {
    return known ? Json(value) : Json();
}

// What the figures say; null where nothing was timed.
void add_figures(Json& to, const Recording& recording, const Target& target, const Figures& f) {
    const bool timed = f.spans > 0;
    const std::uint64_t calls = model::calls_of(target, f);
    const double seconds = static_cast<double>(recording.window_ns) / 1e9;
    to["calls"] = calls;
    to["calls_per_s"] = null_unless(seconds > 0, static_cast<double>(calls) / seconds);
    to["entries"] = f.entries;
    to["spans"] = f.spans;
    to["rejected"] = f.rejected;
    to["total_ns"] = f.total_ns;
    to["self_ns"] = f.self_ns;
    to["mean_ns"] = null_unless(timed, model::mean_ns(f));
    to["p50_ns"] = null_unless(timed, model::quantile_ns(f, 0.5));
    to["p99_ns"] = null_unless(timed, model::quantile_ns(f, 0.99));
    to["max_ns"] = null_unless(timed, f.max_ns);
    to["share"] = null_unless(timed, model::share_of(recording, f));
    to["share_kind"] = target.never_preempted ? "cpu" : "elapsed";
}

void add_floor(Json& to, const Figures& figures, std::uint64_t floor_ns) {
    to["floor_ns"] = null_unless(floor_ns > 0, floor_ns);
    to["at_floor"] = model::is_at_floor(figures, floor_ns);
}

Json loss(const Loss& loss) {
    constexpr const char* kKinds[] = {"entry", "unseen", "other"};
    return {{"reason", text(loss.reason)},
            {"count", null_unless(loss.count.has_value(), loss.count.value_or(0))},
            {"kind", kKinds[static_cast<std::size_t>(loss.kind)]}};
}

Json skipped(const model::Skipped& skipped) {
    return {{"function", text(skipped.function)},
            {"reason", text(skipped.reason)},
            {"remedy", text(skipped.remedy)}};
}

Json gap(const model::Gap& gap) {
    return {{"start_ns", gap.start_ns}, {"end_ns", gap.end_ns}, {"cause", text(gap.cause)}};
}

Json split_row(const Recording& recording, const Target& target, const model::SplitRow& split) {
    Json to = {{"value", null_unless(split.value.has_value(), split.value.value_or(0))},
               {"value_name", text(split.value_name)},
               {"caller", text(split.caller)}};
    add_figures(to, recording, target, split.figures);
    return to;
}

Json site(const Recording& recording, const Target& target, const Site& site) {
    Json to = {{"function", text(site.function)},
               {"address", fmt::format("{:#x}", site.address)},  // jq would round a number
               {"mechanism", text(site.mechanism)},
               {"reason", text(site.reason)},
               {"detail", text(site.detail)},
               {"repeated", site.repeated},
               {"counted_only", site.counted_only},
               {"counted_reason", text(site.counted_reason)},
               {"upper_bound", site.upper_bound}};
    add_figures(to, recording, target, site.figures);
    add_floor(to, site.figures, site.floor_ns);
    to["in_flight"] = site.in_flight;
    to["lost"] = list(site.lost, loss);
    to["splits"] = list(site.splits, [&](const model::SplitRow& split) {
        return split_row(recording, target, split);
    });
    return to;
}

Json target(const Recording& recording, const Target& target, const model::ReportRow& row) {
    Figures sum;
    model::LostSum lost;
    std::uint64_t in_flight = 0;
    for (const Site& site : target.sites) {
        model::add(sum, site.figures);
        model::add(lost, site);
        in_flight += site.in_flight;
    }
    Json to = {{"name", text(target.name)},
               {"summary", text(target.summary)},
               {"note", text(target.note)},
               {"mechanism", null_unless(!row.mechanism.empty(), text(row.mechanism))},
               {"lower_bound", row.lower_bound},
               {"upper_bound", row.upper_bound},
               {"sites_armed", target.sites.size()},
               {"sites_found", null_unless(target.sites_found > 0, target.sites_found)}};
    add_figures(to, recording, target, sum);
    add_floor(to, sum, row.floor_ns);
    to["in_flight"] = in_flight;
    to["lost"] = lost.of_entries;
    to["unseen"] = lost.unseen;
    to["lost_unknown"] = lost.unknown;
    to["sites"] = list(target.sites, [&](const Site& s) { return site(recording, target, s); });
    to["skipped"] = list(target.skipped, skipped);
    return to;
}

// Rows of depth 0 are the targets, in their order.
Json targets(const model::Report& report) {
    Json array = Json::array();
    for (const model::ReportRow& row : report.rows) {
        if (row.depth > 0) continue;
        const Recording& recording = *report.recording;
        array.push_back(target(recording, recording.targets.at(array.size()), row));
    }
    return array;
}

Json payers(const Recording& recording) {
    const std::vector<double> scales = model::payer_scales(recording);
    return list(recording.payers, [&](const model::Payer& payer) {
        Json frames = Json::array();
        for (auto frame = payer.frames.rbegin(); frame != payer.frames.rend(); ++frame)
            frames.push_back(text(recording.frame_names.at(*frame)));
        const double scale = scales.at(payer.target);
        return Json{{"target", text(recording.targets.at(payer.target).name)},
                    {"tgid", payer.tgid},
                    {"comm", text(payer.comm)},
                    {"spans_seen", payer.spans},
                    {"calls", static_cast<double>(payer.spans) * scale},
                    {"ns", static_cast<double>(payer.total_ns) * scale},
                    {"frames", std::move(frames)}};
    });
}

Json machine(const Recording& recording) {
    Json facts = Json::object();
    for (const auto& [key, value] : recording.machine) facts[bytes_to_utf8(key)] = text(value);
    return facts;
}

Result<std::string> render(const model::Report& report, const ExportOptions&) {
    const Recording& recording = *report.recording;
    const Json document = {{"kcost_version", text(recording.kcost_version)},
                           {"command_line", text(recording.command_line)},
                           {"started_at", text(recording.started_at)},
                           {"window_ns", recording.window_ns},
                           {"cpus", recording.cpus},
                           {"whole", recording.whole},
                           {"machine", machine(recording)},
                           {"targets", targets(report)},
                           {"gaps", list(recording.gaps, gap)},
                           {"notes", list(report.notes, text)},
                           {"warnings", list(recording.warnings, text)},
                           {"payers_one_in", recording.payers_one_in},
                           {"payers", payers(recording)}};
    return document.dump(2) + '\n';
}

}  // namespace

extern const Export kExportJson = {"json", "everything, for programs", render};

}  // namespace kcost
