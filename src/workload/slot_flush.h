// Hits a uprobe that it puts on a function of its own, without any BPF. The function begins with
// stp x29, x30, [sp, #-16]!, which arm64 cannot simulate: each hit copies it to a slot in user
// memory, and where the kernel does not see that the slot has it already, flushes the I-cache.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::workload {

/// An error also where fewer than n hits were seen by the kernel itself. Only on arm64.
Result<void> slot_flush(std::uint32_t n);

}  // namespace kcost::workload
