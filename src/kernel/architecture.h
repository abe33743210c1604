#pragma once

#include <string>

#include "kernel/root.h"

namespace kcost::kernel {

/// "aarch64", "x86_64", …; "unknown" and why where the kernel does not tell.
std::string architecture(const Root& root);

}  // namespace kcost::kernel
