#include "analyse/holm.h"

#include <algorithm>
#include <numeric>

namespace kcost {

std::vector<HolmStep> holm(const std::vector<double>& p, double alpha) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<HolmStep> steps(p.size());
    HolmStep step{.alpha = 0, .adjusted_p = 0, .rejected = true};
    for (std::size_t i = 0; i < order.size(); i++) {
        const double left = static_cast<double>(order.size() - i);
        if (step.rejected) step.alpha = alpha / left;
        step.rejected = step.rejected && p[order[i]] < step.alpha;
        step.adjusted_p = std::clamp(p[order[i]] * left, step.adjusted_p, 1.0);
        steps[order[i]] = step;
    }
    return steps;
}

void apply_holm(std::vector<Comparison>& comparisons, double alpha) {
    std::vector<double> p;
    for (const Comparison& comparison : comparisons) p.push_back(comparison.p);
    const std::vector<HolmStep> steps = holm(p, alpha);
    for (std::size_t i = 0; i < comparisons.size(); i++)
        comparisons[i] = at_level(comparisons[i], steps[i].alpha);
}

}  // namespace kcost
