// The CPU's hardware breakpoints: how many there are, and who may hold them. A kernel debugger
// writes these registers behind the kernel's back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// Registers for breakpoints on instructions that each CPU has, asked with ptrace on a child.
Result<unsigned> breakpoint_registers();

/// Which kernel debugger is armed, "kgdboc=ttyAMA0"; empty: none.
std::string armed_kernel_debugger(const Root& root);

/// Processes other than this one that may hold breakpoints, "gdb (812)": they have perf events
/// open, or trace another process. At most eight of them.
std::vector<std::string> breakpoint_holders(const Root& root);

}  // namespace kcost::kernel
