// What a measurement's session found, for people.
#pragma once

#include <string>
#include <vector>

#include "model/measured_summary.h"

namespace kcost {

/// Six digits, without an exponent where it can be read without one: "1099470", "0.0115124".
std::string format_figure(double value);

std::string render_measured_text(const model::MeasuredSummary& summary);

/// The table of an A/A.
std::string render_spreads_text(const std::vector<model::MeasuredSpread>& spreads);

}  // namespace kcost
