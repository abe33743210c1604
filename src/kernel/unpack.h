// Compressed kernels unpacked: gzip and zstd, which boot loaders and distributions use.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kcost::kernel {

/// "gzip", "zstd", "xz", …; empty where the bytes begin like none of them.
std::string packing_of(std::string_view bytes);

/// What follows the end of the packed data is ignored: an EFI image has its size there. Errors: not
/// a packing that is unpacked here, damaged, cut off, or more than any kernel has.
Result<std::string> unpack(std::string_view bytes, const std::string& packing);

}  // namespace kcost::kernel
