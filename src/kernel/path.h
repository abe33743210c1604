// Ways through one function's control flow: is there one that avoids something, and which.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kernel/flow.h"

namespace kcost::kernel {

/// Addresses of a shortest way from `from` to an instruction of which `goal` is true, both
/// included, that passes none of which `avoid` is true; empty: there is none. An instruction that
/// is both is avoided.
std::vector<std::uint64_t> shortest_way(const Flow& flow, std::uint64_t from,
                                        const Flow::Predicate& goal, const Flow::Predicate& avoid);

/// Does an instruction keep interrupts from coming: msr daifset with I, or a write to the mask of
/// priorities (pseudo-NMI)?
bool masks_interrupts(const A64Instruction& instruction);

/// First instructions, by address, that refer to `address` by adrp and add, or adrp and a load, of
/// those in `region`, which is walked from `flow`'s entry.
std::vector<std::uint64_t> references_to(const Flow& flow, const std::set<std::uint64_t>& region,
                                         std::uint64_t address);

}  // namespace kcost::kernel
