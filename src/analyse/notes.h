// What must be said beside a report's figures: losses, gaps, skipped functions, estimates.
#pragma once

#include <string>
#include <vector>

#include "model/recording.h"

namespace kcost {

/// One line each, the gravest first. Text from the recording is quoted as it is.
std::vector<std::string> make_notes(const model::Recording& recording);

}  // namespace kcost
