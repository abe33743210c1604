#include "analyse/counted_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analyse/measured_boots.h"
#include "analyse/rates.h"
#include "model/figures.h"

namespace kcost {
namespace {

constexpr double kAlphaOfCounts = 0.05;

// "MODULE:FUNCTION+0x1c" is FUNCTION.
std::string_view bare_symbol(std::string_view symbol) {
    symbol = symbol.substr(0, symbol.find("+0x"));
    const std::size_t colon = symbol.rfind(':');
    return colon == symbol.npos ? symbol : symbol.substr(colon + 1);
}

bool is_in(const model::ExpectedEffect& effect, const std::string& function) {
    return effect.in.empty() ||
           std::find(effect.in.begin(), effect.in.end(), bare_symbol(function)) != effect.in.end();
}

bool is_split(const model::ExpectedEffect& effect) {
    return effect.value.has_value() || !effect.caller.empty();
}

bool matches(const model::ExpectedEffect& effect, const model::SplitRow& row) {
    const bool value = !effect.value || row.value == effect.value;
    return value && (effect.caller.empty() || bare_symbol(row.caller) == effect.caller);
}

// The row of all that found no row of its own.
bool is_rest(const model::SplitRow& row) {
    return !row.value && (row.caller.empty() || row.caller == "other");
}

void add_splits(CountedEvents& sum, const model::ExpectedEffect& effect,
                const model::Target& target, const model::Site& site) {
    for (const model::SplitRow& row : site.splits) {
        const std::uint64_t calls = model::calls_of(target, row.figures);
        if (is_rest(row))
            sum.lost += calls;
        else if (matches(effect, row))
            sum.events += calls;
    }
}

void set_problem(CountedEvents& sum, const std::string& problem) {
    if (sum.problem.empty()) sum.problem = problem;
}

// Entries that were counted are events, with or without their exit, unless the exit decides.
void add_losses(CountedEvents& sum, const model::Target& target, const model::Site& site) {
    for (const model::Loss& loss : site.lost) {
        const bool event = loss.kind == model::Loss::Kind::kUnseen ||
                           (loss.kind == model::Loss::Kind::kEntry && target.filtered_by_result);
        if (!event) continue;
        if (!loss.count)
            set_problem(sum, fmt::format("{}: the kernel does not tell how many hits were lost: {}",
                                         site.function, loss.reason));
        sum.lost += loss.count.value_or(0);
    }
}

void add_target(CountedEvents& sum, const model::ExpectedEffect& effect,
                const model::Target& target) {
    bool found = effect.in.empty();
    for (const model::Site& site : target.sites) {
        if (!is_in(effect, site.function)) continue;
        found = true;
        if (is_split(effect))
            add_splits(sum, effect, target, site);
        else
            sum.events += model::calls_of(target, site.figures);
        sum.upper_bound = sum.upper_bound || site.upper_bound;
        add_losses(sum, target, site);
    }
    for (const model::Skipped& it : target.skipped)
        if (is_in(effect, it.function))
            set_problem(sum, fmt::format("{} could not be measured: {}", it.function, it.reason));
    sum.no_site = sum.no_site || !found;
    if (target.sites.empty() && target.skipped.empty() && target.sites_found == 0)
        set_problem(sum, fmt::format("{} has no site here", target.name));
}

}  // namespace

CountedEvents count_events(const model::Measurement& side, std::size_t workload,
                           const model::ExpectedEffect& effect) {
    CountedEvents sum;
    const auto views = repetitions_of(side, workload, model::Mode::kProbed, effect.target);
    for (const RepetitionView& it : views) {
        if (it.target == nullptr || it.repetition->operations == 0) continue;
        sum.operations += it.repetition->operations;
        add_target(sum, effect, *it.target);
    }
    sum.mechanism = mechanisms_of(side, workload, effect.target);
    if (sum.operations > 0) return sum;
    const bool named =
        std::find(side.targets.begin(), side.targets.end(), effect.target) != side.targets.end();
    sum.problem = !named          ? fmt::format("{} was not among the targets", effect.target)
                  : views.empty() ? "no repetition was probed"
                                  : "its operations were not counted";
    return sum;
}

Result<Estimate> event_rate(const CountedEvents& side) {
    const double operations = static_cast<double>(side.operations);
    const auto least = rate({side.events, operations}, kAlphaOfCounts);
    const auto most = rate({side.events + side.lost, operations}, kAlphaOfCounts);
    if (!least) return least;
    return Estimate{least->value, least->low, most->high};
}

Result<Estimate> event_ratio(const CountedEvents& before, const CountedEvents& after) {
    const auto count = [](const CountedEvents& side, std::uint64_t lost) {
        return Count{side.events + lost, static_cast<double>(side.operations)};
    };
    const auto seen = rate_ratio(count(before, 0), count(after, 0), kAlphaOfCounts);
    if (!seen) return tl::unexpected(seen.error());
    const auto least = rate_ratio(count(before, before.lost), count(after, 0), kAlphaOfCounts);
    const auto most = rate_ratio(count(before, 0), count(after, after.lost), kAlphaOfCounts);
    return Estimate{seen->ratio.value, least->ratio.low, most->ratio.high};
}

}  // namespace kcost
