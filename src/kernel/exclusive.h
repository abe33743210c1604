// Sequences from a load-exclusive to its store-exclusive (LDXR … STXR). An exception in between
// clears the monitor that the store depends on (Arm ARM, B2.17.5), so whoever stops a CPU there,
// or steps it, makes the store fail and the loop around it start again, for ever.
#pragma once

#include <cstdint>

#include "kernel/flow.h"

namespace kcost::kernel {

/// True from the load (itself included, since it is stepped over) to the store, on any path.
bool in_exclusive_sequence(const Flow& flow, std::uint64_t address);

}  // namespace kcost::kernel
