// Calls of one function, so many and no more: of kcost's own file, or of the kernel.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::workload {

/// The function of kcost's own file that own_calls calls.
inline constexpr const char* kOwnFunction = "kcost_counted";

Result<void> own_calls(std::uint32_t n);

/// Calls of the system call getppid: no other that is as harmless is as rare.
Result<void> getppid_calls(std::uint32_t n);

}  // namespace kcost::workload
