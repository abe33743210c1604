// Numbers of statistics in JSON, which knows neither infinity nor NaN.
#pragma once

#include <nlohmann/json.hpp>

#include "model/estimate.h"

namespace kcost {

/// null where it is infinite: no bound.
nlohmann::ordered_json number_json(double number);
/// {"value", "low", "high"}
nlohmann::ordered_json estimate_json(const model::Estimate& estimate);

}  // namespace kcost
