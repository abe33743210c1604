#include "kernel/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "kernel/little_endian.h"
#include "kernel/unpack.h"

namespace kcost::kernel {
namespace {

constexpr std::size_t kMagicAt = 56;
constexpr std::size_t kMemoryBytesAt = 16;
// An Image, packed in an EFI program, packed once more by who keeps it: nobody does more.
constexpr int kMostLayers = 3;

tl::unexpected<Error> not_arm64(const std::string& what) {
    return fail("it is " + what + ", not an arm64 kernel", "", ExitCode::kCannotHere);
}

tl::unexpected<Error> cut_off(const std::string& what) {
    return fail(what, "copy or fetch it again");
}

bool is_image(std::string_view bytes) { return part_of(bytes, kMagicAt, 4) == "ARM\x64"; }

/// Packed as an EFI program.
bool is_zboot(std::string_view bytes) {
    return bytes.starts_with("MZ") && part_of(bytes, 4, 4) == "zimg";
}

/// Where the header of an EFI program is; nothing where it is none.
std::optional<std::size_t> pe_header(std::string_view bytes) {
    const auto at = number_at<std::uint32_t>(bytes, 0x3c);
    if (part_of(bytes, at, 4) != std::string_view("PE\0\0", 4)) return std::nullopt;
    return at;
}

/// How long a file must be to hold what its EFI header tells of; 0 where it has none.
std::uint64_t bytes_by_pe(std::string_view bytes) {
    constexpr std::size_t kHeaderBytes = 24, kSectionBytes = 40;
    const auto header = pe_header(bytes);
    if (!header) return 0;
    const auto sections = number_at<std::uint16_t>(bytes, *header + 6);
    const auto optional_bytes = number_at<std::uint16_t>(bytes, *header + 20);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < sections; i++) {
        const std::size_t at = *header + kHeaderBytes + optional_bytes + i * kSectionBytes;
        const std::uint64_t size = number_at<std::uint32_t>(bytes, at + 16),
                            offset = number_at<std::uint32_t>(bytes, at + 20);
        end = std::max(end, offset + size);
    }
    return end;
}

Result<ElfImage> whole_image(std::string_view bytes) {
    const std::uint64_t wanted = bytes_by_pe(bytes);
    if (bytes.size() < wanted) {
        return cut_off(
            fmt::format("its end is missing: it has {} of {} bytes", bytes.size(), wanted));
    }
    return ElfImage{std::string(bytes), 0, {}};
}

std::string pe_machine(std::string_view bytes) {
    const auto at = pe_header(bytes);
    if (!at) return "a DOS program";
    const auto machine = number_at<std::uint16_t>(bytes, *at + 4);
    switch (machine) {
        case 0x8664:
            return "an EFI program of x86-64";
        case 0x14c:
            return "an EFI program of x86 of 32 bits";
        case 0x5064:
            return "an EFI program of RISC-V";
        case 0x6264:
            return "an EFI program of LoongArch";
        case 0xaa64:
            return "an EFI program of arm64 without a kernel's header";
        default:
            return fmt::format("an EFI program of machine {:#x}", machine);
    }
}

Result<std::string> unpack_zboot(std::string_view bytes) {
    constexpr std::size_t kPackingAt = 24, kPackingBytes = 32;
    const auto offset = number_at<std::uint32_t>(bytes, 8),
               size = number_at<std::uint32_t>(bytes, 12);
    const std::string_view payload = part_of(bytes, offset, size);
    if (payload.empty()) {
        return cut_off("its packed kernel lies outside of it: its end is missing");
    }
    const std::string_view field = part_of(bytes, kPackingAt, kPackingBytes);
    const std::string packing(field.substr(0, field.find('\0')));
    // Its header has names of its own for ways of packing, such as zstd22.
    const std::string seen = packing_of(payload);
    return unpack(payload, seen.empty() ? packing : seen);
}

Result<std::string> unpack_layer(std::string_view bytes) {
    if (is_zboot(bytes)) return unpack_zboot(bytes);
    const std::string packing = packing_of(bytes);
    if (!packing.empty()) return unpack(bytes, packing);
    if (bytes.starts_with("MZ")) return not_arm64(pe_machine(bytes));
    return not_arm64("of a kind that is not known");
}

}  // namespace

Result<ElfImage> read_image_file(std::string_view bytes) {
    if (bytes.empty()) return not_arm64("empty");
    std::string unpacked;
    for (int layer = 0; layer <= kMostLayers; layer++) {
        if (is_elf(bytes)) return read_elf_image(bytes);
        if (is_image(bytes)) return whole_image(bytes);
        auto inner = unpack_layer(bytes);
        if (!inner) return tl::unexpected(inner.error());
        unpacked = std::move(*inner);
        bytes = unpacked;
    }
    return not_arm64("packed again and again");
}

std::uint64_t memory_bytes_of(std::string_view image) {
    return is_image(image) ? number_at<std::uint64_t>(image, kMemoryBytesAt) : 0;
}

}  // namespace kcost::kernel
