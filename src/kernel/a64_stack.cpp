#include "kernel/a64.h"

namespace kcost::kernel {
namespace {

constexpr std::uint32_t kStackPointer = 31;

std::int64_t signed_field(std::uint32_t word, unsigned low, unsigned bits) {
    const std::uint32_t field = (word >> low) & ((1u << bits) - 1);
    const std::int64_t sign = std::int64_t{1} << (bits - 1);
    return (static_cast<std::int64_t>(field) ^ sign) - sign;
}

std::uint32_t base_register(std::uint32_t word) { return (word >> 5) & 31; }

// Arm ARM, C4.1.93 "Data Processing -- Immediate".
std::int64_t by_arithmetic(std::uint32_t word) {
    const bool add = (word & 0xff800000) == 0x91000000;
    const bool subtract = (word & 0xff800000) == 0xd1000000;
    if ((!add && !subtract) || (word & 31) != kStackPointer) return 0;
    std::int64_t immediate = (word >> 10) & 0xfff;
    if ((word >> 22 & 1) != 0) immediate <<= 12;
    return add ? immediate : -immediate;
}

// Pairs and single registers of 64 bits, pre-indexed or post-indexed (C4.1.94).
std::int64_t by_access(std::uint32_t word) {
    const std::uint32_t pair = word & 0xffc00000;
    const bool moves_pair = pair == 0xa9800000 || pair == 0xa9c00000 ||  // [sp, #n]!
                            pair == 0xa8800000 || pair == 0xa8c00000;    // [sp], #n
    if (moves_pair) return 8 * signed_field(word, 15, 7);
    const std::uint32_t single = word & 0xffe00400;
    const bool moves = single == 0xf8000400 || single == 0xf8400400;
    return moves ? signed_field(word, 12, 9) : 0;
}

}  // namespace

std::int64_t stack_pointer_change(std::uint32_t word) {
    if (base_register(word) != kStackPointer) return 0;
    const std::int64_t change = by_arithmetic(word);
    return change != 0 ? change : by_access(word);
}

}  // namespace kcost::kernel
