// Whether the kernel takes a kprobe on an instruction, asked without arming one: so a site that is
// refused costs neither programs nor a stop of all CPUs.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::probe {

/// The error says that the kernel refuses, and its usual reasons.
Result<void> check_kprobe(std::uint64_t address);

/// Why a site whose entry takes a kprobe and whose exits do not is counted only.
inline constexpr const char* kNoExitProbe = "what follows its barrier takes no kprobe";

}  // namespace kcost::probe
