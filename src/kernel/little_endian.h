// Numbers in bytes from outside. What does not lie in them whole is 0, so that a reader of a
// hostile file can ask first and check what it got.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kcost::kernel {

static_assert(std::endian::native == std::endian::little);

template <typename Number>
Number number_at(std::string_view bytes, std::size_t offset) {
    Number number = 0;
    if (offset > bytes.size() || bytes.size() - offset < sizeof(number)) return number;
    std::memcpy(&number, bytes.data() + offset, sizeof(number));
    return number;
}

/// The part of the bytes that a file claims to have; empty where it does not lie in them whole.
inline std::string_view part_of(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size) return {};
    return bytes.substr(offset, size);
}

}  // namespace kcost::kernel
