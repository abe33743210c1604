// The pictures of a confirmation as SVG elements, for a page that has their style. Escaped.
#pragma once

#include <string>

#include "model/confirmation.h"

namespace kcost {

/// Every ratio with its interval on one logarithmic axis; empty where there is none.
std::string draw_intervals(const model::Confirmation& confirmation);

/// Every repetition as a point, boot by boot, before and after; empty where there is none.
std::string draw_points(const model::ConfirmedMetric& metric);

}  // namespace kcost
