// The callers that make a target run most, from a report's stacks. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/report.h"

namespace kcost {

struct Caller {
    std::string chain;  ///< "caller < its caller < …", nearest first
    double share = 0;   ///< of the target's calls, 0…1
};

/// The most frequent `count` chains of up to `depth` callers.
std::vector<Caller> hottest_callers(const model::Report& report, const std::string& target,
                                    std::size_t count, std::size_t depth);

}  // namespace kcost
