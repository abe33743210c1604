// The symbols that a kernel's image carries for itself, CONFIG_KALLSYMS, read without the kernel.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/listed_symbol.h"

namespace kcost::kernel {

struct ImageKallsyms {
    std::vector<ListedSymbol> symbols;  ///< by address
    /// Address of the image's first byte; 0 where the image does not tell: addresses of symbols are
    /// then offsets into it.
    std::uint64_t base = 0;
};

/*
 * Beside names and tokens (kallsyms_tables.h) stands kallsyms_offsets, 32 bits a symbol, rising:
 *
 * - relative to kallsyms_relative_base, 64 bits, which stands behind them. Both stand before the
 *   names, and behind the tokens since Linux 404bad70fcf7 ("scripts/kallsyms: change the output
 *   order") (v6.4);
 * - relative to where each stands itself, behind the tokens, since Linux a081b5789255 ("kallsyms:
 *   Get rid of kallsyms relative base") (v7.0).
 *
 * All are tried, and that is taken which rises and puts _stext and _etext into the image and at the
 * beginnings of pages, where the linker script has them. In a relocatable kernel the base may be 0
 * until it boots; the relocation that will set it tells it then. Rejected: choosing by the version,
 * since distributions backport. CONFIG_KALLSYMS_ABSOLUTE_PERCPU is none of arm64's.
 */
Result<ImageKallsyms> read_image_kallsyms(std::string_view image);

}  // namespace kcost::kernel
