// Keeping a workload on one CPU.
#pragma once

#include "base/result.h"

namespace kcost::workload {

/// The last CPU that this process may use: interrupts and the profiler itself tend to sit on the
/// first.
Result<void> pin_to_one_cpu();

}  // namespace kcost::workload
