// From a measurement's repetitions to boots, the unit of all statistics. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyse/boots.h"
#include "model/measurement.h"

namespace kcost {

/// A metric of the workload in its bare repetitions. Boots without one of these are left out;
/// sessions whose boot is not known are one boot together, since they may be. A repetition that
/// lacks the value has NaN, which make_units() refuses by its number.
std::vector<Boot> bare_boots(const model::Measurement& side, std::size_t workload,
                             std::size_t metric);

/// ns a call of a target, one value for each probed repetition in which it was timed.
std::vector<Boot> call_time_boots(const model::Measurement& side, std::size_t workload,
                                  const std::string& target);

/// The kernel's instructions an operation, one value for each bare repetition that counted them.
std::vector<Boot> instruction_boots(const model::Measurement& side, std::size_t workload);

/// The mechanisms that a target was measured by: "kprobe", "fentry, kprobe"; empty: it was not.
std::string mechanisms_of(const model::Measurement& side, std::size_t workload,
                          const std::string& target);

/// Whether the target's mean is under twice what a span of nothing costs.
bool is_at_floor(const model::Measurement& side, std::size_t workload, const std::string& target);

/// The repetitions of a mode, with their targets of this name where they have it.
struct RepetitionView {
    const model::MeasuredSession* session = nullptr;
    const model::Repetition* repetition = nullptr;
    const model::Target* target = nullptr;
};
std::vector<RepetitionView> repetitions_of(const model::Measurement& side, std::size_t workload,
                                           model::Mode mode, const std::string& target = "");

}  // namespace kcost
