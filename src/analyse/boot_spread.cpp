#include "analyse/boot_spread.h"

#include <algorithm>
#include <cmath>

namespace kcost {
namespace {

// n0: what the repetitions a boot are in the expected mean square between boots.
double effective_repetitions(const Units& units) {
    double sum = 0;
    double squares = 0;
    for (double weight : units.weights) {
        sum += 1 / weight;
        squares += 1 / (weight * weight);
    }
    return (sum - squares / sum) / static_cast<double>(units.weights.size() - 1);
}

double mean_square_between(const Units& units) {
    double sum = 0;
    double all = 0;
    for (std::size_t i = 0; i < units.weights.size(); i++) {
        sum += units.log_means[i] / units.weights[i];
        all += 1 / units.weights[i];
    }
    const double mean = sum / all;
    double squares = 0;
    for (std::size_t i = 0; i < units.weights.size(); i++) {
        const double off = units.log_means[i] - mean;
        squares += off * off / units.weights[i];
    }
    return squares / static_cast<double>(units.weights.size() - 1);
}

BootSpread measured(const VarianceComponents& components, double sd) {
    return {.sd = sd, .df = static_cast<double>(components.boots - 1), .assumed = false};
}

}  // namespace

Result<VarianceComponents> variance_components(const std::vector<Boot>& sessions) {
    const auto units = make_units(sessions, "a kernel with itself");
    if (!units) return tl::unexpected(units.error());
    constexpr std::size_t kFewest = 3;
    if (units->log_means.size() < kFewest)
        return fail("cannot tell boots from repetitions: fewer than three boots",
                    "measure --aa after each of three reboots or more");
    if (units->repetition_df == 0)
        return fail("cannot tell boots from repetitions: no boot has two repetitions");

    VarianceComponents components;
    components.boots = units->log_means.size();
    components.repetitions = effective_repetitions(*units);
    components.repetition_df = units->repetition_df;
    components.repetition_sd = std::sqrt(units->repetition_variance);
    components.boot_mean_sd = std::sqrt(variance_of(units->log_means));
    const double boot_variance =
        (mean_square_between(*units) - units->repetition_variance) / components.repetitions;
    components.boot_negative = boot_variance < 0;
    components.boot_sd = std::sqrt(std::max(0.0, boot_variance));
    return components;
}

BootSpread spread_of(const VarianceComponents& components, double repetitions) {
    const double variance = components.boot_sd * components.boot_sd +
                            components.repetition_sd * components.repetition_sd / repetitions;
    return measured(components, std::sqrt(variance));
}

BootSpread spread_for_few(const VarianceComponents& components) {
    return measured(components, components.boot_mean_sd);
}

}  // namespace kcost
