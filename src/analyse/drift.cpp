#include "analyse/drift.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyse/distributions.h"

namespace kcost {
namespace {

constexpr std::size_t kFewest = 5;
constexpr std::size_t kMostExact = 40;
constexpr double kSecondsPerHour = 3600;

Result<void> check(const std::vector<TimedValue>& values) {
    if (values.size() < kFewest)
        return fail("cannot tell drift: fewer than five repetitions", "measure more repetitions");
    for (std::size_t i = 0; i < values.size(); i++) {
        if (!std::isfinite(values[i].value) || values[i].value <= 0)
            return fail("cannot tell drift: a value is no number above 0");
        if (i > 0 && !(values[i].at_s > values[i - 1].at_s))
            return fail("cannot tell drift: the times of the repetitions do not rise");
    }
    return {};
}

// Rising pairs less falling ones.
double kendall_score(const std::vector<TimedValue>& values) {
    double score = 0;
    for (std::size_t i = 0; i < values.size(); i++)
        for (std::size_t j = i + 1; j < values.size(); j++)
            score += (values[j].value > values[i].value) - (values[j].value < values[i].value);
    return score;
}

double tie_correction(const std::vector<TimedValue>& values) {
    std::map<double, double> groups;
    for (const TimedValue& value : values) groups[value.value]++;
    double correction = 0;
    for (const auto& [value, n] : groups) correction += n * (n - 1) * (2 * n + 5);
    return correction;
}

// How likely each number of falling pairs is among all orders of n values.
std::vector<double> inversion_chances(std::size_t n) {
    std::vector<double> chances = {1};
    for (std::size_t size = 2; size <= n; size++) {
        std::vector<double> next(chances.size() + size - 1, 0);
        for (std::size_t i = 0; i < chances.size(); i++)
            for (std::size_t add = 0; add < size; add++)
                next[i + add] += chances[i] / static_cast<double>(size);
        chances = std::move(next);
    }
    return chances;
}

// P(|score| ≥ least).
double exact_p(const std::vector<double>& chances, double least) {
    const double pairs = static_cast<double>(chances.size() - 1);
    double p = 0;
    for (std::size_t falling = 0; falling < chances.size(); falling++)
        if (std::abs(pairs - 2 * static_cast<double>(falling)) >= least) p += chances[falling];
    return std::min(1.0, p);
}

// The greatest score that is still no news: of the scores beyond it at most alpha.
double exact_bound(const std::vector<double>& chances, double alpha) {
    double bound = static_cast<double>(chances.size() - 1);
    while (bound >= 2 && exact_p(chances, bound) <= alpha) bound -= 2;
    return bound;
}

std::vector<double> sorted_slopes(const std::vector<TimedValue>& values) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < values.size(); i++)
        for (std::size_t j = i + 1; j < values.size(); j++)
            slopes.push_back((values[j].value - values[i].value) /
                             (values[j].at_s - values[i].at_s));
    std::sort(slopes.begin(), slopes.end());
    return slopes;
}

double median(const std::vector<double>& sorted) {
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double median_value(const std::vector<TimedValue>& values) {
    std::vector<double> sorted;
    for (const TimedValue& value : values) sorted.push_back(value.value);
    std::sort(sorted.begin(), sorted.end());
    return median(sorted);
}

// The slopes that leave out (pairs - bound) / 2 at each end.
Estimate slope_between(const std::vector<double>& slopes, double bound) {
    const double left_out = std::floor((static_cast<double>(slopes.size()) - bound) / 2);
    const auto skip = static_cast<std::size_t>(std::max(1.0, left_out)) - 1;
    return {median(slopes), slopes[skip], slopes[slopes.size() - 1 - skip]};
}

}  // namespace

Result<Drift> find_drift(const std::vector<TimedValue>& values, double alpha) {
    if (const auto checked = check(values); !checked) return tl::unexpected(checked.error());
    const double n = static_cast<double>(values.size());
    const double score = kendall_score(values);
    const double ties = tie_correction(values);
    const double sd = std::sqrt(std::max(0.0, (n * (n - 1) * (2 * n + 5) - ties) / 18));

    Drift drift;
    drift.tau = score / (n * (n - 1) / 2);
    drift.exact = values.size() <= kMostExact && ties == 0;
    double bound = 0;
    if (drift.exact) {
        const std::vector<double> chances = inversion_chances(values.size());
        drift.p = exact_p(chances, std::abs(score));
        bound = exact_bound(chances, alpha);
    } else {
        const double off = std::max(0.0, std::abs(score) - 1);
        drift.p = off > 0 ? distributions::normal_two_sided_p(off / sd) : 1;
        bound = distributions::normal_quantile(1 - alpha / 2) * sd;
    }
    const double scale = kSecondsPerHour / median_value(values);
    const Estimate slope = slope_between(sorted_slopes(values), bound);
    drift.per_hour = {slope.value * scale, slope.low * scale, slope.high * scale};
    drift.session_h = (values.back().at_s - values.front().at_s) / kSecondsPerHour;
    return drift;
}

}  // namespace kcost
