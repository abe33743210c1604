// A vmlinux as memory would have it: what its program headers load, and its symbols.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/listed_symbol.h"

namespace kcost::kernel {

struct ElfImage {
    std::string bytes;
    std::uint64_t base = 0;             ///< address of the first byte
    std::vector<ListedSymbol> symbols;  ///< by address; none where it is stripped
};

bool is_elf(std::string_view bytes);

/// Errors: not an arm64 kernel (exit code 3, and what it is), damaged.
Result<ElfImage> read_elf_image(std::string_view bytes);

}  // namespace kcost::kernel
