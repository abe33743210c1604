#include "kernel/a64.h"

namespace kcost::kernel {
namespace {

bool is(std::uint32_t word, std::uint32_t mask, std::uint32_t value) {
    return (word & mask) == value;
}

// AUTI* and AUT*: a hint of the PAC group with bit 2 of its number set (Arm ARM, C6.2 "HINT").
bool authenticates(std::uint32_t word) {
    if (!is(word, 0xfffff01f, 0xd503201f)) return false;
    const std::uint32_t number = (word >> 5) & 127;
    return number == 12 || number == 14 || (number >= 28 && number <= 31);
}

}  // namespace

bool may_take_kprobe(std::uint32_t word) {
    const bool moves_system_register = is(word, 0xffd00000, 0xd5100000);
    const bool writes_state = is(word, 0xfff8f01f, 0xd500401f);
    const bool excepts = is(word, 0xff000000, 0xd4000000);
    const bool returns_from_exception = is(word, 0xfffffbff, 0xd69f03e0);
    const bool exclusive = is(word, 0x3f000000, 0x08000000);
    return !moves_system_register && !writes_state && !excepts && !returns_from_exception &&
           !exclusive && !authenticates(word) && word != 0;
}

}  // namespace kcost::kernel
