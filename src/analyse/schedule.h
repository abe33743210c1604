// In which order things are measured: at random within blocks, from a seed that reproduces it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/measurement.h"

namespace kcost {

struct Step {
    std::size_t workload = 0;
    model::Mode mode = model::Mode::kBare;
    unsigned block = 0;
};

/// Every mode of every workload once. It depends on seed and block only, not on the machine.
std::vector<Step> make_block(unsigned block, std::size_t workloads,
                             const std::vector<model::Mode>& modes, std::uint64_t seed);

enum class Side { kBefore, kAfter };

/// The order of boots: blocks of one before and one after, so that what changes over the days is on
/// both sides alike.
std::vector<Side> boot_order(unsigned boots_a_side, std::uint64_t seed);

}  // namespace kcost
