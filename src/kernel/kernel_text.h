// All of the kernel's own text with its symbols: for what is looked for everywhere. Costs some
// 20 MB and, in time, mostly the reading of /proc/kallsyms.
#pragma once

#include "base/result.h"
#include "kernel/flow.h"
#include "kernel/live_text.h"
#include "kernel/root.h"
#include "kernel/symbols.h"

namespace kcost::kernel {

struct KernelText {
    Symbols symbols;
    TextRange text;
};

/// Errors: not arm64, addresses hidden, /proc/kcore not readable.
Result<KernelText> read_kernel_text(const Root& root);

/// Control flow of one function, from its first instruction to `end`, an address behind it.
Result<Flow> read_flow(const Root& root, std::uint64_t begin, std::uint64_t end);

}  // namespace kcost::kernel
