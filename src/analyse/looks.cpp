#include "analyse/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyse/distributions.h"

namespace kcost {
namespace {

constexpr double kLevel = 0.95;

bool is_within(double standard_error, double df, double precision) {
    const double half = distributions::t_quantile((1 + kLevel) / 2, df) * standard_error;
    return std::expm1(half) <= precision;
}

}  // namespace

Result<double> level_of_look(unsigned look) {
    if (look >= 1 && look <= kMostLooks) return kAlpha / kMostLooks;
    return fail(
        fmt::format("cannot judge these recordings at look {}: they have {} looks, and each "
                    "one more makes a false alarm likelier",
                    look, kMostLooks),
        "measure anew, into new files");
}

bool precise_enough(const std::vector<double>& values, double precision) {
    if (values.size() < kFewestForPrecision) return false;
    std::vector<double> logs;
    for (double value : values) {
        if (!std::isfinite(value) || value <= 0) return false;
        logs.push_back(std::log(value));
    }
    const double n = static_cast<double>(logs.size());
    return is_within(std::sqrt(variance_of(logs) / n), n - 1, precision);
}

bool precise_enough(const Comparison& comparison, double precision) {
    if (std::min(comparison.boots_before, comparison.boots_after) < kFewestForPrecision)
        return false;
    return is_within(comparison.standard_error, comparison.df, precision);
}

}  // namespace kcost
