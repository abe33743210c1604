// Grades published figures, "0.418 ± 0.001 → 0.926 ± 0.000", by what they say themselves. Whether
// they hold on another machine is for a measurement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyse/estimate.h"

namespace kcost {

/// A figure as it was printed; half a unit of its last decimal is unknown, of its ± likewise.
struct PrintedFigure {
    double value = 0;
    unsigned decimals = 0;         ///< of value and spread
    std::optional<double> spread;  ///< what stands behind ±
};

enum class SpreadKind {
    kSd,       ///< of a sample, as the selftests' bench prints
    kSe,       ///< a standard error, as perf stat prints
    kUnknown,  ///< not told
};

struct Claim {
    std::string name;
    std::optional<PrintedFigure> before;
    std::optional<PrintedFigure> after;
    std::optional<double> change;  ///< where only that was printed: 0.406 for +40.6%
    SpreadKind spread = SpreadKind::kUnknown;
    std::optional<unsigned> n;  ///< repetitions of each figure; none: not told
    bool higher_is_better = true;
    bool control = false;  ///< the patch must not change it
};

/// The claim, if ± means this.
struct Reading {
    std::string what;  ///< "± is a standard error, n = 10"
    double t = 0;
    double df = 0;  ///< infinity: normal
    double p = 1;
    Estimate ratio;  ///< after / before, 95%
};

enum class Grade {
    kStands,              ///< better, under every reading
    kNotDistinguishable,  ///< from zero, under one reading at least
    kSizeOnly,            ///< no spread: cannot be judged beyond its size
    kWorse,               ///< distinguishable, and not the way that was claimed
    kControl,             ///< it should not move: by how much it did
};

struct GradedClaim {
    Grade grade = Grade::kSizeOnly;
    std::optional<double> change;  ///< after / before - 1
    std::vector<Reading> readings;
    std::string says;  ///< the grade with its figures, one line
};

/// Welch's t on logs by first-order propagation: the standard error of a log is that of the figure
/// over the figure. To each ± half a unit of its last decimal is added (±0.000 is up to 0.0005), to
/// each squared error that of rounding the figure, unit²/12.
/// Where n is not told, a sd is read as of two values, and as if it were a standard error; a
/// standard error as of two values, and as of many. What is not told to be either is read as both.
GradedClaim grade_claim(const Claim& claim);

}  // namespace kcost
