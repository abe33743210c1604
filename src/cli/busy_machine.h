// A busy machine gives figures of whoever else runs.
#pragma once

#include "base/result.h"

namespace kcost {

/// Error (kCannotHere): the load is above 10% of the CPUs, and nobody said yes to that. With a yes
/// it is a warning.
Result<void> check_load(bool yes);

}  // namespace kcost
