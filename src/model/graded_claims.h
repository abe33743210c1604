// The published figures of a patch with their grades: what `kcost confirm --claims` tells. Passive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/estimate.h"
#include "model/patch.h"

namespace kcost::model {

/// A published figure, if its ± means this.
struct ClaimReading {
    std::string what;  ///< "± is a standard error, n = 10"
    double t = 0;
    double df = 0;  ///< infinity: normal
    double p = 1;
    Estimate ratio;  ///< after / before, 95%
};

struct GradedFigure {
    std::string grade;  ///< "stands", "not distinguishable", "size only", "worse", "control"
    std::optional<double> change;  ///< after / before - 1
    std::vector<ClaimReading> readings;
    std::string says;  ///< the grade with its figures, one line
    /// Where there is a figure without what the patch makes cheaper: how much of the loss came
    /// back, 1 all of it.
    std::optional<double> regained;
};

struct GradedPublication {
    Publication publication;
    std::vector<GradedFigure> grades;  ///< one for each figure of the publication, in its order
};

struct GradedPatch {
    Patch patch;
    std::vector<GradedPublication> publications;
};

}  // namespace kcost::model
