#include <fmt/format.h>

#include <algorithm>

#include "store/recording_format.h"
#include "store/target_json.h"

namespace kcost {
namespace {

using Json = nlohmann::json;

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

}  // namespace

model::Target read_target(Reader& in, const Field& at) {
    return {.name = in.text(in.member(at, "name")),
            .summary = in.text(in.member(at, "summary")),
            .note = in.text(in.member(at, "note")),
            .never_preempted = in.boolean(in.member(at, "never_preempted")),
            .filtered_by_result = in.boolean(in.member(at, "filtered_by_result")),
            .sites = in.list(in.member(at, "sites"), site),
            .skipped = in.list(in.member(at, "skipped"), skipped),
            .sites_found = in.number(in.later_member(at, "sites_found", kNone))};
}

model::Gap read_gap(Reader& in, const Field& at) {
    return {.start_ns = in.number(in.member(at, "start_ns")),
            .end_ns = in.number(in.member(at, "end_ns")),
            .cause = in.text(in.member(at, "cause"))};
}

std::pair<std::string, std::string> read_fact(Reader& in, const Field& at) {
    if (!in.is_list(at, 2)) return {};
    return {in.text({at.value[0], &at, "", 0}), in.text({at.value[1], &at, "", 1})};
}

}  // namespace kcost
