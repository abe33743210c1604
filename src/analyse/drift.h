// Whether a metric moved in the course of a session, and how fast. A finding beside the verdict: no
// figure is corrected by it.
#pragma once

#include <vector>

#include "analyse/estimate.h"
#include "base/result.h"

namespace kcost {

struct TimedValue {
    double at_s = 0;  ///< since any one moment, rising
    double value = 0;
};

struct Drift {
    double tau = 0;        ///< Kendall's: -1 always falling, 1 always rising
    double p = 1;          ///< two-sided
    bool exact = true;     ///< of all orders; else the normal approximation
    Estimate per_hour;     ///< as a fraction of the median, at 1 - alpha; 0.02: 2% an hour
    double session_h = 0;  ///< from the first value to the last
};

/// Mann and Kendall's test of trend (Kendall, "Rank Correlation Methods", 4th ed., 1970): exact up
/// to 40 values without ties, else normal with the correction for ties. The slope is Theil's and
/// Sen's with its interval (Sen, Journal of the American Statistical Association 63, 1968). One
/// outlier moves none of these. Error: fewer than five values, which cannot show a drift at 5%;
/// times that do not rise; values that are no numbers above 0.
Result<Drift> find_drift(const std::vector<TimedValue>& values, double alpha);

}  // namespace kcost
