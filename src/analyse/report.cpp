#include "analyse/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyse/notes.h"
#include "model/figures.h"

namespace kcost {
namespace {

using model::Figures;
using model::Recording;
using model::ReportRow;
using model::Site;
using model::SplitRow;
using model::Target;

ReportRow make_row(const Recording& recording, const Target& target, const Figures& figures,
                   std::uint64_t floor_ns) {
    ReportRow row;
    row.calls = model::calls_of(target, figures);
    if (recording.window_ns > 0)
        row.calls_per_s =
            static_cast<double>(row.calls) / (static_cast<double>(recording.window_ns) / 1e9);
    row.timed = figures.spans > 0;
    row.cpu_share = target.never_preempted;
    row.floor_ns = floor_ns;
    if (!row.timed) return row;

    row.total_ns = figures.total_ns;
    row.self_ns = figures.self_ns;
    row.max_ns = figures.max_ns;
    row.mean_ns = model::mean_ns(figures);
    row.p50_ns = model::quantile_ns(figures, 0.5);
    row.p99_ns = model::quantile_ns(figures, 0.99);
    row.share = model::share_of(recording, figures);
    row.at_floor = model::is_at_floor(figures, floor_ns);
    return row;
}

void set_lost(ReportRow& row, const model::LostSum& lost) {
    row.lost = lost.of_entries + lost.unseen;
    row.lost_unknown = lost.unknown;
}

std::string split_name(const SplitRow& split) {
    if (!split.value) return split.caller.empty() ? "other" : split.caller;
    const std::string name = split.value_name.empty() ? "value" : split.value_name;
    // Above 32 bits it is an address, or a negative number.
    const std::string value = *split.value >> 32 != 0 ? fmt::format("{:#x}", *split.value)
                                                      : fmt::format("{}", *split.value);
    return fmt::format("{}={}{}{}", name, value, split.caller.empty() ? "" : " ", split.caller);
}

void sort_by_calls(std::vector<ReportRow>& rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ReportRow& a, const ReportRow& b) { return a.calls > b.calls; });
}

std::vector<ReportRow> split_rows(const Recording& recording, const Target& target,
                                  const Site& site, unsigned depth) {
    std::vector<ReportRow> rows;
    for (const SplitRow& split : site.splits) {
        if (split.figures.entries == 0 && split.figures.spans == 0) continue;
        ReportRow row = make_row(recording, target, split.figures, site.floor_ns);
        row.name = split_name(split);
        row.depth = depth;
        rows.push_back(std::move(row));
    }
    sort_by_calls(rows);
    return rows;
}

// "opsite x2": what it does, it does twice for an erratum of the CPU.
std::string mechanism_of(const Site& site) {
    return site.repeated ? site.mechanism + " x2" : site.mechanism;
}

ReportRow site_row(const Recording& recording, const Target& target, const Site& site) {
    ReportRow row = make_row(recording, target, site.figures, site.floor_ns);
    row.name = site.function;
    row.mechanism = mechanism_of(site);
    row.depth = 1;
    row.upper_bound = site.upper_bound;
    model::LostSum lost;
    model::add(lost, site);
    set_lost(row, lost);
    return row;
}

ReportRow target_row(const Recording& recording, const Target& target) {
    Figures sum;
    model::LostSum lost;
    std::uint64_t floor_ns = 0;
    std::vector<std::string> mechanisms;
    bool upper_bound = false;
    for (const Site& site : target.sites) {
        upper_bound = upper_bound || site.upper_bound;
        model::add(sum, site.figures);
        model::add(lost, site);
        if (site.figures.spans > 0) floor_ns = std::max(floor_ns, site.floor_ns);
        const std::string mechanism = mechanism_of(site);
        if (std::find(mechanisms.begin(), mechanisms.end(), mechanism) == mechanisms.end())
            mechanisms.push_back(mechanism);
    }
    ReportRow row = make_row(recording, target, sum, floor_ns);
    row.name = target.name;
    row.mechanism = fmt::format("{}", fmt::join(mechanisms, ", "));
    if (target.sites_found > 0 && !target.sites.empty())
        row.mechanism += fmt::format(", {} of {} sites", target.sites.size(), target.sites_found);
    set_lost(row, lost);
    row.upper_bound = upper_bound;
    row.lower_bound = !target.skipped.empty() && !target.sites.empty();
    return row;
}

void append(std::vector<ReportRow>& rows, std::vector<ReportRow> more) {
    rows.insert(rows.end(), more.begin(), more.end());
}

void add_rows(std::vector<ReportRow>& rows, const Recording& recording, const Target& target) {
    rows.push_back(target_row(recording, target));
    if (target.sites.size() == 1 && target.sites_found == 0)
        return append(rows, split_rows(recording, target, target.sites[0], 1));

    std::vector<const Site*> sites;
    for (const Site& site : target.sites) sites.push_back(&site);
    std::stable_sort(sites.begin(), sites.end(), [&](const Site* a, const Site* b) {
        return model::calls_of(target, a->figures) > model::calls_of(target, b->figures);
    });
    for (const Site* site : sites) {
        // An operation has dozens of sites: those that never ran say nothing.
        if (model::is_idle(target, *site)) continue;
        rows.push_back(site_row(recording, target, *site));
        append(rows, split_rows(recording, target, *site, 2));
    }
}

// "PATH:FUNCTION", "MODULE:FUNCTION" and "FUNCTION+0x1c" are FUNCTION in a stack.
std::string_view bare_function(std::string_view function) {
    const std::size_t colon = function.rfind(':');
    if (colon != function.npos) return function.substr(colon + 1);
    return function.substr(0, function.rfind("+0x"));
}

bool is_leaf_of(const Target& target, std::string_view frame) {
    const std::string_view symbol = frame.substr(0, frame.find('+'));
    return std::any_of(target.sites.begin(), target.sites.end(),
                       [&](const Site& site) { return bare_function(site.function) == symbol; });
}

std::vector<std::string> root_first(const Recording& recording, const model::Payer& payer) {
    const Target& target = recording.targets[payer.target];
    std::vector<std::string> frames = {payer.comm};
    for (auto frame = payer.frames.rbegin(); frame != payer.frames.rend(); ++frame) {
        const bool known = *frame < recording.frame_names.size();
        frames.push_back(known ? recording.frame_names[*frame] : "[unknown]");
    }
    if (frames.size() > 1 && is_leaf_of(target, frames.back())) return frames;
    // Where several functions make one target, a payer does not say which one it ran.
    const bool one = target.sites.size() == 1;
    frames.emplace_back(one ? bare_function(target.sites[0].function) : target.name);
    return frames;
}

std::vector<model::FoldedStack> make_stacks(const Recording& recording) {
    const std::vector<double> scales = model::payer_scales(recording);
    std::vector<model::FoldedStack> stacks;
    for (const model::Payer& payer : recording.payers) {
        if (payer.target >= scales.size()) continue;
        stacks.push_back({.frames = root_first(recording, payer),
                          .target = recording.targets[payer.target].name,
                          .calls = static_cast<double>(payer.spans) * scales[payer.target],
                          .ns = static_cast<double>(payer.total_ns) * scales[payer.target]});
    }
    std::stable_sort(stacks.begin(), stacks.end(),
                     [](const auto& a, const auto& b) { return a.calls > b.calls; });
    return stacks;
}

}  // namespace

model::Report make_report(const Recording& recording) {
    model::Report report;
    report.recording = &recording;
    for (const Target& target : recording.targets) add_rows(report.rows, recording, target);
    report.stacks = make_stacks(recording);
    report.notes = make_notes(recording);
    return report;
}

}  // namespace kcost
