// What a workload counted, for people.
#pragma once

#include <string>

#include "model/recording.h"
#include "model/ticks.h"

namespace kcost {

/// "0.418 ± 0.001 M/s", without ± where one tick has no spread.
std::string format_rate(const model::Rate& rate);

std::string render_ticks_text(const model::Ticks& ticks, const model::Machine& machine);

}  // namespace kcost
