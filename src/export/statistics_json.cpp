#include "export/statistics_json.h"

#include <cmath>

namespace kcost {

nlohmann::ordered_json number_json(double number) {
    if (!std::isfinite(number)) return {};
    return number;
}

nlohmann::ordered_json estimate_json(const model::Estimate& estimate) {
    return {{"value", number_json(estimate.value)},
            {"low", number_json(estimate.low)},
            {"high", number_json(estimate.high)}};
}

}  // namespace kcost
