// From the repetitions of boots to what is compared: one figure a boot, the unit of all statistics.
// Not the comparison itself (compare.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kcost {

/// The bare repetitions of one session.
struct Boot {
    std::string id;              ///< boot_id; sessions with the same one are one unit
    std::vector<double> values;  ///< one metric of each repetition, in their order; all above 0
};

/// One side of a comparison. Logarithms are natural: a difference of 0.01 is 1%.
struct Units {
    std::vector<double> log_means;   ///< log of each boot's arithmetic mean, one a boot
    std::vector<double> weights;     ///< 1 / repetitions of the boot, same order
    double repetition_variance = 0;  ///< of the log of one repetition within its boot, pooled
    double repetition_df = 0;        ///< Σ (repetitions - 1) over boots; 0: there is no variance
};

/// The boots with sessions of the same boot joined. An empty id is a boot of its own.
std::vector<Boot> join_sessions(const std::vector<Boot>& sessions);

/// The log of the *arithmetic* mean: it is all work over all time for a rate, and all time over all
/// work for a duration. *Rejected*: the mean of logs, which nobody can check against their output.
/// Error: no boot, a boot without a value, or a value that is no number above 0; it names `metric`.
Result<Units> make_units(const std::vector<Boot>& sessions, std::string_view metric);

/// Each boot's figure over that of a control in the same boot: what both share, such as a luckier
/// layout of memory, is not in their ratio. The spread of repetitions is the sum of both, with the
/// fewer repetitions of the two and their fewer degrees of freedom. Error: what make_units refuses,
/// or a boot (by its id) that has one of them only.
Result<Units> make_relative_units(const std::vector<Boot>& sessions,
                                  const std::vector<Boot>& control, std::string_view metric);

double mean_of(const std::vector<double>& values);

/// With n - 1; 0 for fewer than two values, and where values differ by rounding only (1e-12).
double variance_of(const std::vector<double>& values);

}  // namespace kcost
