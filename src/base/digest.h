// FNV-1a, 64 bits: it tells things apart, and is no protection against forgery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kcost {

class Digest {
public:
    /// As it is, without an end.
    void add_bytes(std::string_view bytes);
    /// Each with its end, so that "a", "bc" differs from "ab", "c".
    void add(std::string_view text);
    void add(std::uint64_t number);

    std::uint64_t value() const { return hash_; }
    std::string text() const;  ///< 16 hexadecimal digits

private:
    void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace kcost
