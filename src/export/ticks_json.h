// The JSON of what a workload counted, with every raw tick. No format of a recording, so no row of
// the table.
#pragma once

#include <string>

#include "model/recording.h"
#include "model/ticks.h"

namespace kcost {

std::string render_ticks_json(const model::Ticks& ticks, const model::Machine& machine);

}  // namespace kcost
