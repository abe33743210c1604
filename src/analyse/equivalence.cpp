#include "analyse/equivalence.h"

#include <algorithm>
#include <cmath>

namespace kcost {

double equivalence_margin(std::optional<double> claimed_ratio) {
    constexpr double kLeast = 1.02;
    constexpr double kShare = 0.2;
    if (!claimed_ratio || !std::isfinite(*claimed_ratio) || *claimed_ratio <= 0) return kLeast;
    return std::max(kLeast, std::exp(kShare * std::abs(std::log(*claimed_ratio))));
}

Equivalence equivalence(const Comparison& comparison, double margin) {
    constexpr double kOneSidedAlpha = 0.05;
    Equivalence result;
    result.ratio = at_level(comparison, 2 * kOneSidedAlpha).ratio;
    result.margin = margin;
    if (result.ratio.low > 1 / margin && result.ratio.high < margin)
        result.outcome = Equivalence::Outcome::kEquivalent;
    else if (differs(comparison))
        result.outcome = Equivalence::Outcome::kMoved;
    return result;
}

}  // namespace kcost
