// Limits of this process: open files.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::kernel {

/// Raises the soft limit of open files to the hard one, and with CAP_SYS_RESOURCE the hard one to
/// `wanted`. Gives the limit that holds then; an error where it is under `wanted`, telling both.
Result<std::uint64_t> raise_open_files(std::uint64_t wanted);

/// File descriptors open now.
Result<std::uint64_t> open_files();

}  // namespace kcost::kernel
