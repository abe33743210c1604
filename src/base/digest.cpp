#include "base/digest.h"

#include <fmt/format.h>

namespace kcost {

void Digest::add_bytes(std::string_view bytes) {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
}

void Digest::add(std::string_view text) {
    add_bytes(text);
    add_byte(0);
}

void Digest::add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
        add_byte(static_cast<unsigned char>(number >> shift));
}

std::string Digest::text() const { return fmt::format("{:016x}", hash_); }

}  // namespace kcost
