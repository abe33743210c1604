// Keeping a workload on the CPUs that it was given.
#pragma once

#include <vector>

#include "base/result.h"

namespace kcost::workload {

/// The CPUs that this process may use, those of its cpuset. Never none.
Result<std::vector<unsigned>> allowed_cpus();

/// The calling thread alone.
Result<void> pin_to(unsigned cpu);

/// The last CPU that this process may use: interrupts and the profiler itself tend to sit on the
/// first.
Result<void> pin_to_one_cpu();

}  // namespace kcost::workload
