#include "kernel/exclusive.h"

#include <algorithm>

namespace kcost::kernel {
namespace {

// Arm ARM, C4.1 "Load/store exclusive" and its neighbours: bit 23 clear; bit 21 is of pairs, but
// of words under 32 bits it makes a CASP.
bool is_exclusive(std::uint32_t word) {
    const bool compares_pair = (word & 0x80200000) == 0x00200000;
    return (word & 0x3f800000) == 0x08000000 && !compares_pair;
}

bool is_load(const A64Instruction& instruction) {
    return is_exclusive(instruction.word) && (instruction.word & 0x00400000) != 0;
}

bool is_store(const A64Instruction& instruction) {
    return is_exclusive(instruction.word) && (instruction.word & 0x00400000) == 0;
}

bool leads_to_store(const Flow& flow, std::uint64_t address) {
    const auto stop = [&](std::uint64_t at, const A64Instruction& instruction) {
        return is_store(instruction) || (is_load(instruction) && at != address);
    };
    const auto reached = flow.reachable(address, stop);
    return std::any_of(reached.begin(), reached.end(),
                       [&](std::uint64_t at) { return is_store(flow.at(at)); });
}

}  // namespace

bool in_exclusive_sequence(const Flow& flow, std::uint64_t address) {
    if (!flow.reaches(address) || !leads_to_store(flow, address)) return false;
    const auto stop = [](std::uint64_t, const A64Instruction& instruction) {
        return is_store(instruction);
    };
    const auto& all = flow.instructions();
    return std::any_of(all.begin(), all.end(), [&](const auto& it) {
        return is_load(it.second) && flow.reachable(it.first, stop).contains(address);
    });
}

}  // namespace kcost::kernel
