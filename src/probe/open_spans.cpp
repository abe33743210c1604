#include "probe/open_spans.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace kcost::probe {
namespace {

void count_frames(const kc_slot& slot, std::vector<std::uint64_t>& by_site) {
    std::uint32_t depth = std::min<std::uint32_t>(slot.depth, KC_FRAMES);
    for (std::uint32_t i = 0; i < depth; i++) {
        std::uint16_t site = slot.frames[i].target;
        if (site < by_site.size()) by_site[site]++;
    }
}

}  // namespace

std::vector<std::uint64_t> count_open(const kc_set* sets, std::size_t set_count,
                                      std::size_t sites) {
    std::vector<std::uint64_t> by_site(sites);
    for (const kc_set* set = sets; set != sets + set_count; set++) {
        for (int way = 0; way < KC_WAYS; way++) {
            if (set->tags[way]) count_frames(set->ways[way], by_site);
        }
    }
    return by_site;
}

std::vector<std::uint64_t> reclaim_ended(kc_set* sets, std::size_t set_count, std::size_t sites,
                                         bool (*is_alive)(std::uint32_t tag)) {
    std::vector<std::uint64_t> by_site(sites);
    for (kc_set* set = sets; set != sets + set_count; set++) {
        for (int way = 0; way < KC_WAYS; way++) {
            std::uint32_t tag = set->tags[way];
            if (!tag || is_alive(tag)) continue;
            kc_slot& slot = set->ways[way];
            count_frames(slot, by_site);
            slot.depth = 0;
            // Last, so that whoever claims the slot finds it empty.
            std::atomic_ref<__u32>(set->tags[way]).store(0, std::memory_order_seq_cst);
        }
    }
    return by_site;
}

bool thread_exists(std::uint32_t tag) {
    if (tag & KC_IDLE_TAG) return true;
    // /proc finds a thread by its id too, though it lists processes only.
    return ::access(("/proc/" + std::to_string(tag)).c_str(), F_OK) == 0;
}

}  // namespace kcost::probe
