#include "analyse/boots_needed.h"

#include <algorithm>
#include <cmath>

#include "analyse/distributions.h"

namespace kcost {
namespace {

// Midpoints of slices of equal probability.
constexpr int kSpreads = 12;
constexpr int kShares = 4;

double middle(int slice, int slices) { return (slice + 0.5) / slices; }

// What the spread may be in truth, given its estimate.
std::vector<double> likely_sds(const BootSpread& spread) {
    constexpr double kKnown = 1e6;
    if (spread.df > kKnown) return {spread.sd};
    std::vector<double> sds;
    for (int i = 0; i < kSpreads; i++) {
        const double chi = distributions::chi_squared_quantile(middle(i, kSpreads), spread.df);
        sds.push_back(spread.sd * std::sqrt(spread.df / chi));
    }
    return sds;
}

// Welch's degrees of freedom depend on the share of one side in both variances: beta distributed,
// and symmetric, so the lower half will do.
std::vector<double> critical_values(double boots, double alpha) {
    std::vector<double> critical;
    const double half = (boots - 1) / 2;
    for (int i = 0; i < kShares; i++) {
        const double share = distributions::beta_quantile(middle(i, kShares) / 2, half, half);
        const double df = (boots - 1) / (share * share + (1 - share) * (1 - share));
        critical.push_back(distributions::t_quantile(1 - alpha / 2, df));
    }
    return critical;
}

// Averages over spreads and critical values the chance that `above` gives.
double power_with(const std::vector<double>& sds, std::size_t boots, const Goal& goal,
                  double (*above)(double, double, double)) {
    const double n = static_cast<double>(boots);
    const std::vector<double> critical = critical_values(n, goal.alpha);
    double sum = 0;
    for (double sd : sds) {
        const double shift = std::abs(std::log(goal.ratio)) / (sd * std::sqrt(2 / n));
        for (double value : critical) sum += above(value, 2 * (n - 1), shift);
    }
    return sum / static_cast<double>(sds.size() * critical.size());
}

// The fewest boots from kFewestBoots to kMostBoots + 1 that are enough: by halving.
std::size_t fewest(const auto& enough) {
    std::size_t low = kFewestBoots;
    std::size_t high = kMostBoots + 1;
    while (low < high) {
        const std::size_t boots = low + (high - low) / 2;
        if (enough(boots))
            high = boots;
        else
            low = boots + 1;
    }
    return low;
}

}  // namespace

double power_of(const BootSpread& spread, std::size_t boots, const Goal& goal) {
    if (spread.sd <= 0) return 1;
    return power_with(likely_sds(spread), boots, goal, distributions::noncentral_t_above);
}

std::optional<std::size_t> boots_needed(const BootSpread& spread, const Goal& goal) {
    if (spread.sd <= 0) return kFewestBoots;
    if (!(goal.ratio > 0) || !std::isfinite(goal.ratio) || goal.ratio == 1) return std::nullopt;
    const std::vector<double> sds = likely_sds(spread);
    const auto exactly = [&](std::size_t boots) {
        return power_with(sds, boots, goal, distributions::noncentral_t_above) >= goal.power;
    };
    const auto roughly = [&](std::size_t boots) {
        const auto above = distributions::noncentral_t_above_roughly;
        return power_with(sds, boots, goal, above) >= goal.power;
    };
    std::size_t boots = fewest(roughly);
    while (boots <= kMostBoots && !exactly(boots)) boots++;
    while (boots > kFewestBoots && boots <= kMostBoots && exactly(boots - 1)) boots--;
    return boots <= kMostBoots ? std::optional(boots) : std::nullopt;
}

std::optional<std::size_t> boots_for_equivalence(const BootSpread& spread, double margin) {
    // Both one-sided tests at 5% must pass: each may fail in one case of ten.
    return boots_needed(spread, {.ratio = margin, .alpha = 0.10, .power = 0.9});
}

std::vector<Resolution> resolutions(const VarianceComponents& components, double repetitions) {
    std::vector<Resolution> all;
    for (double effect : {0.003, 0.01, 0.05}) {
        const Goal goal{.ratio = 1 + effect};
        all.push_back({effect, boots_needed(spread_of(components, repetitions), goal)});
    }
    return all;
}

}  // namespace kcost
