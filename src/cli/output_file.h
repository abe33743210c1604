// Whether a measurement can be written where it is asked to be.
#pragma once

#include <string>

#include "base/result.h"

namespace kcost {

/// Found out before anything is measured, not after. The file itself may exist, and is not touched.
Result<void> check_output(const std::string& path);

}  // namespace kcost
