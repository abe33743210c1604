// What each part of a verdict's input says for itself. Used by verdict.cpp only.
#pragma once

#include <string>
#include <vector>

#include "analyse/verdict.h"

namespace kcost {

enum class MechanismState { kNotMeasured, kShown, kUnchanged, kContrary, kUnclear };
enum class BenefitState { kNotMeasured, kBetter, kWorse, kEqual, kUnclear };
enum class ControlState { kNotMeasured, kEquivalent, kMoved, kUnclear };

// Each adds its reasons to the verdict. Boots needed are kMostBoots + 1 where no number will do.

/// Shown: at least one effect, none to the contrary. `times`: whether times may be compared.
MechanismState judge_mechanism(const VerdictInput& input, bool times, Verdict& verdict);

/// Sets the benefits' levels and takes them to the verdict. `alpha`: that of the look.
BenefitState judge_benefits(const VerdictInput& input, double alpha, Verdict& verdict);

ControlState judge_controls(const VerdictInput& input, double alpha, Verdict& verdict);

}  // namespace kcost
