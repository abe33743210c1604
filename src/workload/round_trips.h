// Two processes on one CPU pass a byte to and fro over two pipes: two context switches between
// different address spaces for each round trip.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::workload {

/// Pins the calling process to one CPU.
Result<void> round_trips(std::uint32_t n);

}  // namespace kcost::workload
