// Whether something stayed as it was: a control, or a benefit that is not there. That no difference
// was found does not say so; that the interval is within a margin does.
#pragma once

#include <optional>

#include "analyse/compare.h"
#include "analyse/estimate.h"

namespace kcost {

struct Equivalence {
    enum class Outcome {
        kEquivalent,  ///< the 90% interval is within the margin, wherever in it
        kMoved,       ///< it is not, and the comparison excludes 1 at its own level
        kCannotTell,  ///< neither: more boots
    };
    Outcome outcome = Outcome::kCannotTell;
    Estimate ratio;     ///< with its 90% interval
    double margin = 0;  ///< as a ratio above 1: from 1 / margin to margin
};

/// 1.02, or a fifth of the claimed benefit (as a ratio, 2.2 or 0.45) if that is more. The fifth is
/// of the logarithm, so that it is the same up and down and never a margin of everything.
double equivalence_margin(std::optional<double> claimed_ratio);

/// Two one-sided tests at 5% each (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15,
/// 1987).
Equivalence equivalence(const Comparison& comparison, double margin);

}  // namespace kcost
