#include "analyse/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analyse/distributions.h"

namespace kcost {
namespace {

// A part of the variance of the difference.
struct Part {
    double variance = 0;
    double df = 1;
};

Part from_boots(const Units& units) {
    const double boots = static_cast<double>(units.log_means.size());
    return {variance_of(units.log_means) / boots, boots - 1};
}

Part from_repetitions(const Units& units) {
    const double boots = static_cast<double>(units.log_means.size());
    double weights = 0;
    for (double weight : units.weights) weights += weight;
    return {units.repetition_variance * weights / (boots * boots), units.repetition_df};
}

// Of the mean of a side. None: one boot, one repetition.
std::optional<Part> part_of(const Units& units) {
    const std::size_t boots = units.log_means.size();
    if (boots >= kFewestBoots) return from_boots(units);
    if (units.repetition_df == 0)
        return boots == 2 ? std::optional(from_boots(units)) : std::nullopt;
    const Part repetitions = from_repetitions(units);
    if (boots < 2) return repetitions;
    const Part between = from_boots(units);
    return between.variance > repetitions.variance ? between : repetitions;
}

// The added spread: never none, or a difference of nothing would be certain.
Part part_of(const BootSpread& few) {
    if (few.sd > 0) return {2 * few.sd * few.sd, few.df};
    return {2 * BootSpread::kAssumedSd * BootSpread::kAssumedSd, BootSpread::kAssumedDf};
}

Part sum_of(std::initializer_list<Part> parts) {
    double variance = 0;
    double squares = 0;
    for (const Part& part : parts) {
        variance += part.variance;
        squares += part.variance * part.variance / part.df;
    }
    return {variance, variance * variance / squares};
}

Part variance_of_difference(Comparison& comparison, const Part& before, const Part& after,
                            const BootSpread& few) {
    comparison.few_boots = std::min(comparison.boots_before, comparison.boots_after) < kFewestBoots;
    comparison.no_spread = before.variance + after.variance <= 0;
    if (comparison.few_boots || comparison.no_spread) return sum_of({before, after, part_of(few)});
    return sum_of({before, after});
}

}  // namespace

Result<Comparison> compare(const Units& before, const Units& after, const BootSpread& few) {
    const auto part_before = part_of(before);
    const auto part_after = part_of(after);
    if (!part_before || !part_after)
        return fail(fmt::format("cannot compare: one boot with one repetition {} has no spread",
                                part_before ? "after" : "before"),
                    "measure more repetitions and more boots");
    Comparison comparison;
    comparison.boots_before = before.log_means.size();
    comparison.boots_after = after.log_means.size();
    const Part sum = variance_of_difference(comparison, *part_before, *part_after, few);
    comparison.log_difference = mean_of(after.log_means) - mean_of(before.log_means);
    comparison.standard_error = std::sqrt(sum.variance);
    comparison.df = sum.df;
    comparison.t = comparison.log_difference / comparison.standard_error;
    comparison.p = distributions::t_two_sided_p(comparison.t, comparison.df);
    const double boots = 1 / static_cast<double>(comparison.boots_before) +
                         1 / static_cast<double>(comparison.boots_after);
    const bool assumed =
        (comparison.few_boots || comparison.no_spread) && (few.assumed || few.sd <= 0);
    comparison.spread = {std::sqrt(sum.variance / boots), sum.df, assumed};
    return at_level(comparison, kAlpha);
}

Comparison at_level(Comparison comparison, double alpha) {
    const double half =
        distributions::t_quantile(1 - alpha / 2, comparison.df) * comparison.standard_error;
    comparison.alpha = alpha;
    comparison.ratio.value = std::exp(comparison.log_difference);
    comparison.ratio.low = std::exp(comparison.log_difference - half);
    comparison.ratio.high = std::exp(comparison.log_difference + half);
    return comparison;
}

}  // namespace kcost
