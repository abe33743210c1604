#include "store/recording_format.h"
#include "store/target_json.h"

namespace kcost {
namespace {

using Json = OrderedJson;

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
            {"value_name", text_to_json(split.value_name)},
            {"caller", text_to_json(split.caller)},
            {"figures", figures(split.figures)}};
}

Json loss(const model::Loss& loss) {
    return {{"reason", text_to_json(loss.reason)},
            {"count", number_or_null(loss.count)},
            {"kind", kLossKinds[static_cast<std::size_t>(loss.kind)]}};
}

Json site(const model::Site& site) {
    return {{"function", text_to_json(site.function)},
            {"address", site.address},
            {"mechanism", text_to_json(site.mechanism)},
            {"reason", text_to_json(site.reason)},
            {"detail", text_to_json(site.detail)},
            {"repeated", site.repeated},
            {"upper_bound", site.upper_bound},
            {"counted_only", site.counted_only},
            {"counted_reason", text_to_json(site.counted_reason)},
            {"floor_ns", site.floor_ns},
            {"in_flight", site.in_flight},
            {"lost", list_to_json(site.lost, loss)},
            {"figures", figures(site.figures)},
            {"splits", list_to_json(site.splits, split_row)}};
}

Json skipped(const model::Skipped& skipped) {
    return {{"function", text_to_json(skipped.function)},
            {"reason", text_to_json(skipped.reason)},
            {"remedy", text_to_json(skipped.remedy)}};
}

}  // namespace

Json target_to_json(const model::Target& target) {
    return {{"name", text_to_json(target.name)},
            {"summary", text_to_json(target.summary)},
            {"note", text_to_json(target.note)},
            {"never_preempted", target.never_preempted},
            {"filtered_by_result", target.filtered_by_result},
            {"sites", list_to_json(target.sites, site)},
            {"skipped", list_to_json(target.skipped, skipped)},
            {"sites_found", target.sites_found}};
}

Json gap_to_json(const model::Gap& gap) {
    return {{"start_ns", gap.start_ns}, {"end_ns", gap.end_ns}, {"cause", text_to_json(gap.cause)}};
}

Json fact_to_json(const std::pair<std::string, std::string>& fact) {
    return Json::array({text_to_json(fact.first), text_to_json(fact.second)});
}

}  // namespace kcost
