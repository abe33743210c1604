// How much memory this process can still take before somebody is killed: the machine's, or what
// its control groups leave it.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// The least of MemAvailable and, for this process's group and each one around it, the limit less
/// what is used and cannot be given back. Control groups of version 1 and 2.
Result<std::uint64_t> available_memory_bytes(const Root& root);

}  // namespace kcost::kernel
