// From a measurement to what is told at the end of its last session. Not a comparison.
#pragma once

#include "model/measured_summary.h"
#include "model/measurement.h"

namespace kcost {

/// Of the last session. Empty where there is none.
model::MeasuredSummary summarise(const model::Measurement& measurement);

/// σ_boot and σ_repetition of each metric over all boots, and the boots that effects ask for.
std::vector<model::MeasuredSpread> spreads_of(const model::Measurement& measurement);

}  // namespace kcost
