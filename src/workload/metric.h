// The figure of a COMMAND's run: what it printed, or how long it took.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kcost::workload {

struct MetricSource {
    enum class Kind {
        kElapsed,
        kRegex,  ///< extended, of POSIX; the first group, or all where there is none
        kJson,   ///< a JSON pointer
    };
    Kind kind = Kind::kElapsed;
    std::string expression;
};

/// Error (kUsage): the expression is none.
Result<void> check(const MetricSource& source);

/// Of several matches the last one counts: programs print their sum at the end. Error: there is
/// none, or no number above 0.
Result<double> read_metric(const MetricSource& source, std::string_view output,
                           std::uint64_t elapsed_ns);

}  // namespace kcost::workload
