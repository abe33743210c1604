#include "analyse/interval.h"

#include <map>
#include <tuple>

namespace kcost {
namespace {

using model::Figures;
using model::Payer;
using model::Recording;
using model::Site;

void subtract(Figures& later, const Figures& earlier) {
    later.entries -= earlier.entries;
    later.spans -= earlier.spans;
    later.rejected -= earlier.rejected;
    later.total_ns -= earlier.total_ns;
    later.self_ns -= earlier.self_ns;
    auto& bins = later.durations.bins;
    const auto& before = earlier.durations.bins;
    for (std::size_t i = 0; i < bins.size() && i < before.size(); i++) bins[i] -= before[i];
}

void subtract(Site& later, const Site& earlier) {
    subtract(later.figures, earlier.figures);
    for (model::SplitRow& row : later.splits) {
        for (const model::SplitRow& before : earlier.splits) {
            bool same = row.value == before.value && row.caller == before.caller;
            if (same) subtract(row.figures, before.figures);
        }
    }
    for (std::size_t i = 0; i < later.lost.size() && i < earlier.lost.size(); i++) {
        auto& count = later.lost[i].count;
        if (count && earlier.lost[i].count) *count -= *earlier.lost[i].count;
    }
}

// Frame numbers differ between two recordings; names do not.
auto identity(const Recording& recording, const Payer& payer) {
    std::vector<std::string> frames;
    for (std::uint32_t frame : payer.frames) frames.push_back(recording.frame_names[frame]);
    return std::tuple(payer.target, payer.tgid, payer.comm, std::move(frames));
}

void subtract_payers(Recording& later, const Recording& earlier) {
    std::map<decltype(identity(earlier, Payer{})), const Payer*> before;
    for (const Payer& payer : earlier.payers) before[identity(earlier, payer)] = &payer;
    std::vector<Payer> left;
    for (Payer& payer : later.payers) {
        auto found = before.find(identity(later, payer));
        if (found != before.end()) {
            payer.spans -= found->second->spans;
            payer.total_ns -= found->second->total_ns;
        }
        if (payer.spans) left.push_back(std::move(payer));
    }
    later.payers = std::move(left);
}

}  // namespace

Recording since(const Recording& later, const Recording& earlier) {
    Recording interval = later;
    interval.live = true;
    interval.window_ns -= earlier.window_ns;
    for (std::size_t i = 0; i < interval.targets.size() && i < earlier.targets.size(); i++) {
        auto& sites = interval.targets[i].sites;
        const auto& before = earlier.targets[i].sites;
        for (std::size_t j = 0; j < sites.size() && j < before.size(); j++) {
            subtract(sites[j], before[j]);
        }
    }
    interval.gaps.erase(interval.gaps.begin(), interval.gaps.begin() + earlier.gaps.size());
    subtract_payers(interval, earlier);
    return interval;
}

}  // namespace kcost
