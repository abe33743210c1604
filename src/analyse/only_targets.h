// A recording as if it were of some of its targets only. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/recording.h"

namespace kcost {

/// Keeps the targets with these names, in their order, and who made them run. Self times stay as
/// they were measured: less the time in all targets of the recording. Error: no target of a name,
/// with the names there are.
Result<model::Recording> only_targets(model::Recording recording,
                                      const std::vector<std::string>& names);

}  // namespace kcost
