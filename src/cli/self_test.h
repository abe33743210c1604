// The exactness checks of `kcost doctor --self-test`: work whose number of hits is known, counted.
#pragma once

#include <vector>

#include "base/result.h"
#include "export/doctor_json.h"

namespace kcost {

/// `told` hears of each check as it ends. An error only where it was interrupted.
Result<std::vector<Finding>> run_self_test(void (*told)(const Finding&));

}  // namespace kcost
