// A symbol as nm, System.map and kallsyms list it.
#pragma once

#include <cstdint>
#include <string>

namespace kcost::kernel {

struct ListedSymbol {
    std::uint64_t address = 0;
    char type = 0;  ///< of nm: "T" global text, "t" local text, "W" weak, others
    std::string name;
};

}  // namespace kcost::kernel
