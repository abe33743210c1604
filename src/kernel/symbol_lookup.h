// Addresses of a few functions by one pass over /proc/kallsyms, without a table. For the attach
// path: making all of kallsyms costs the kernel 80 to 315 M instructions, so the pass ends early.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

struct FoundSymbol {
    std::string name;    ///< as kallsyms has it, so with .isra.0 and the like
    std::string module;  ///< empty: the kernel itself
    std::uint64_t address = 0;
    std::uint64_t end = 0;  ///< where the next symbol begins; 0: not known
    bool global = false;
};

/// For each name (NAME, or MODULE:NAME) what carries it or a compiler variant of it; empty where
/// nothing does. Ends early once every name was seen as a global function of the kernel, which is
/// there only once; a static name may come again, so it is looked for to the end.
Result<std::vector<std::vector<FoundSymbol>>> find_many(const Root& root,
                                                        const std::vector<std::string>& names);

/// Addresses of data symbols in the order of the names, 0 where there is none (they are listed
/// only with CONFIG_KALLSYMS_ALL). Ends at the first of each.
Result<std::vector<std::uint64_t>> find_data(const Root& root,
                                             const std::vector<std::string>& names);

}  // namespace kcost::kernel
