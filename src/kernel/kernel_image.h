// A kernel that does not run, from its file, on any machine: its text as it was built, with symbols
// and types. Alternatives, static keys and trace sites are not patched yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/btf.h"
#include "kernel/kernel_text.h"
#include "kernel/listed_symbol.h"

namespace kcost::kernel {

struct KernelImage {
    std::string path;
    std::string bytes;                  ///< as memory has them, from base on
    std::uint64_t base = 0;             ///< address that the kernel is linked to; 0: not known
    std::vector<ListedSymbol> symbols;  ///< by address
    std::string release;                ///< "6.12.118+deb13-arm64"; empty: it does not tell
};

/// Symbols are those of the System.map where one is named, else those of a vmlinux, else those that
/// the image carries. They are held against the image. Errors: not an arm64 kernel (exit code 3),
/// damaged, no symbols, those of another kernel.
Result<KernelImage> read_kernel_image(const std::string& path, const std::string& system_map);

/// An error where its symbols do not tell where text begins and ends in the file.
Result<KernelText> text_of(const KernelImage& image);

/// An error with exit code 3 where it has none.
Result<Btf> types_of(const KernelImage& image);

/// 0 where there is no symbol of that name.
std::uint64_t address_of(const KernelImage& image, const std::string& name);

}  // namespace kcost::kernel
