// How often an instruction runs, counted by hardware breakpoints without a program: what decides
// whether it can be timed by them at all.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::probe {

/// Hits a second on the busiest CPU; takes some 50 ms.
Result<double> breakpoint_rate(std::uint64_t address);

}  // namespace kcost::probe
