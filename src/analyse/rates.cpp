#include "analyse/rates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/distributions.h"

namespace kcost {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has_operations(const Count& count) {
    return std::isfinite(count.operations) && count.operations > 0;
}

auto no_operations() {
    return fail("cannot tell a rate: no operations were counted",
                "let the workload print how many it did");
}

Estimate share_of(double events, double others, double alpha) {
    Estimate share{events / (events + others), 0, 1};
    if (events > 0) share.low = distributions::beta_quantile(alpha / 2, events, others + 1);
    if (others > 0) share.high = distributions::beta_quantile(1 - alpha / 2, events + 1, others);
    return share;
}

// P(X ≤ events) and P(X ≥ events) of a binomial with this share: the smaller one, doubled.
double two_sided_p(double events, double others, double share) {
    const double at_least = events > 0 ? distributions::beta_below(share, events, others + 1) : 1;
    const double at_most =
        others > 0 ? 1 - distributions::beta_below(share, events + 1, others) : 1;
    return std::clamp(2 * std::min(at_least, at_most), 0.0, 1.0);
}

double odds(double share) { return share < 1 ? share / (1 - share) : kInfinity; }

}  // namespace

Result<Estimate> rate(const Count& count, double alpha) {
    if (!has_operations(count)) return no_operations();
    const double events = static_cast<double>(count.events);
    double low = 0;
    if (count.events > 0) low = distributions::chi_squared_quantile(alpha / 2, 2 * events) / 2;
    const double high = distributions::chi_squared_quantile(1 - alpha / 2, 2 * events + 2) / 2;
    return Estimate{events / count.operations, low / count.operations, high / count.operations};
}

Result<Estimate> proportion(std::uint64_t events, std::uint64_t trials, double alpha) {
    if (trials == 0) return fail("cannot tell a proportion: nothing was counted");
    if (events > trials)
        return fail("cannot tell a proportion: more events than trials",
                    "count events per operation instead");
    return share_of(static_cast<double>(events), static_cast<double>(trials - events), alpha);
}

Result<RateRatio> rate_ratio(const Count& before, const Count& after, double alpha) {
    if (!has_operations(before) || !has_operations(after)) return no_operations();
    if (before.events == 0 && after.events == 0) return RateRatio{{1, 0, kInfinity}, 1};
    const double events_before = static_cast<double>(before.events);
    const double events_after = static_cast<double>(after.events);
    const double scale = before.operations / after.operations;
    const Estimate share = share_of(events_after, events_before, alpha);
    const double equal = after.operations / (before.operations + after.operations);
    // The value from the counts: a share near 1 has lost its digits.
    return RateRatio{{events_before > 0 ? events_after / events_before * scale : kInfinity,
                      odds(share.low) * scale, odds(share.high) * scale},
                     two_sided_p(events_after, events_before, equal)};
}

}  // namespace kcost
