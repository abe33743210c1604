// A kernel's file brought to the bytes that lie in memory: a raw arm64 Image, one that is packed
// (by itself, or in an EFI program that unpacks itself), or a vmlinux.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "kernel/elf_image.h"

namespace kcost::kernel {

/*
 * The header of an Image: "ARM\x64" at 56, and at 16 how much memory the kernel takes, up to _end.
 * Linux's Documentation/arch/arm64/booting.rst. An EFI program (CONFIG_EFI_ZBOOT) begins by "MZ",
 * has "zimg" at 4, at 8 and 12 where the packed Image is, and at 24 how it is packed; in
 * drivers/firmware/efi/libstub/zboot-header.S. A raw Image begins by "MZ", too.
 */
/// Symbols are only those of a vmlinux; the base of another file is 0, not known. Errors: not an
/// arm64 kernel (exit code 3, and what it is), damaged, packed in a way that is not unpacked.
Result<ElfImage> read_image_file(std::string_view bytes);

/// What the header says that the kernel takes; 0: it does not.
std::uint64_t memory_bytes_of(std::string_view image);

}  // namespace kcost::kernel
