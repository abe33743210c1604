#include "probe/sample_map.h"

#include <algorithm>

namespace kcost::probe {
namespace {

// A return address may be the first one behind its function, where that ends with the call.
std::uint64_t place_of(std::span<const std::uint64_t> stack, std::size_t frame) {
    return frame == 0 ? stack[0] : stack[frame] - 1;
}

bool has_frame_in(std::span<const std::uint64_t> stack, std::size_t from,
                  const AddressRange& range) {
    for (std::size_t i = from; i < stack.size(); i++) {
        if (range.holds(place_of(stack, i))) return true;
    }
    return false;
}

bool is_in(const SampledPlace& place, std::span<const std::uint64_t> stack) {
    const std::size_t frames = place.amid ? std::min<std::size_t>(1, stack.size()) : stack.size();
    for (std::size_t i = 0; i < frames; i++) {
        if (!place.range.holds(place_of(stack, i))) continue;
        if (!place.within || has_frame_in(stack, i + 1, *place.within)) return true;
    }
    return false;
}

}  // namespace

void SampleMap::count(std::span<const std::uint64_t> stack,
                      std::vector<std::uint64_t>& by_target) const {
    std::vector<bool> counted(by_target.size());
    for (const SampledPlace& place : places_) {
        if (counted[place.target] || !is_in(place, stack)) continue;
        counted[place.target] = true;
        by_target[place.target]++;
    }
}

}  // namespace kcost::probe
