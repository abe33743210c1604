#include "analyse/schedule.h"

#include <random>
#include <utility>

namespace kcost {
namespace {

using Random = std::mt19937_64;

// The engine is the same everywhere, std::shuffle and the distributions are not.
std::size_t below(Random& random, std::size_t limit) {
    const std::uint64_t fair = Random::max() - Random::max() % limit;
    for (;;) {
        const std::uint64_t drawn = random();
        if (drawn < fair) return static_cast<std::size_t>(drawn % limit);
    }
}

template <typename T>
void shuffle(std::vector<T>& items, Random& random) {
    for (std::size_t left = items.size(); left > 1; left--)
        std::swap(items[left - 1], items[below(random, left)]);
}

}  // namespace

std::vector<Step> make_block(unsigned block, std::size_t workloads,
                             const std::vector<model::Mode>& modes, std::uint64_t seed) {
    std::vector<Step> steps;
    for (std::size_t workload = 0; workload < workloads; workload++) {
        for (model::Mode mode : modes) steps.push_back({workload, mode, block});
    }
    std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                       static_cast<std::uint32_t>(block)};
    Random random(both);
    shuffle(steps, random);
    return steps;
}

std::vector<Side> boot_order(unsigned boots_a_side, std::uint64_t seed) {
    Random random(seed);
    std::vector<Side> order;
    for (unsigned i = 0; i < boots_a_side; i++) {
        std::vector<Side> block = {Side::kBefore, Side::kAfter};
        shuffle(block, random);
        order.insert(order.end(), block.begin(), block.end());
    }
    return order;
}

}  // namespace kcost
