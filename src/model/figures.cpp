#include "model/figures.h"

#include <algorithm>

namespace kcost::model {
namespace {

// Hits that a payer could have been recorded of: spans, and entries where nothing is timed.
double true_hits(const Target& target) {
    double hits = 0;
    for (const Site& site : target.sites)
        hits += static_cast<double>(site.counted_only ? site.figures.entries : site.figures.spans);
    return hits;
}

}  // namespace

void add(Figures& sum, const Figures& part) {
    sum.entries += part.entries;
    sum.spans += part.spans;
    sum.rejected += part.rejected;
    sum.total_ns += part.total_ns;
    sum.self_ns += part.self_ns;
    sum.max_ns = std::max(sum.max_ns, part.max_ns);
    sum.durations.add(part.durations);
}

std::uint64_t calls_of(const Target& target, const Figures& figures) {
    return target.filtered_by_result ? figures.spans : figures.entries;
}

double mean_ns(const Figures& figures) {
    if (figures.spans == 0) return 0;
    return static_cast<double>(figures.total_ns) / static_cast<double>(figures.spans);
}

double quantile_ns(const Figures& figures, double fraction) {
    // Interpolated within a bin, it may pass the greatest span of that bin.
    const double ns = figures.durations.quantile_ns(fraction);
    return figures.max_ns == 0 ? ns : std::min(ns, static_cast<double>(figures.max_ns));
}

double share_of(const Recording& recording, const Figures& figures) {
    const double all_ns = static_cast<double>(recording.window_ns) * recording.cpus;
    return all_ns > 0 ? static_cast<double>(figures.total_ns) / all_ns : 0;
}

bool is_at_floor(const Figures& figures, std::uint64_t floor_ns) {
    return floor_ns > 0 && figures.spans > 0 &&
           mean_ns(figures) < 2 * static_cast<double>(floor_ns);
}

void add(LostSum& sum, const Site& site) {
    for (const Loss& loss : site.lost) {
        if (loss.kind == Loss::Kind::kEntry) sum.of_entries += loss.count.value_or(0);
        if (loss.kind == Loss::Kind::kUnseen) sum.unseen += loss.count.value_or(0);
        sum.unknown |= loss.kind != Loss::Kind::kOther && !loss.count;
    }
}

bool is_idle(const Target& target, const Site& site) {
    LostSum lost;
    add(lost, site);
    return target.sites_found > 0 && site.figures.entries == 0 && lost.of_entries == 0 &&
           lost.unseen == 0;
}

std::vector<double> payer_scales(const Recording& recording) {
    std::vector<double> scales(recording.targets.size());
    for (const Payer& payer : recording.payers)
        if (payer.target < scales.size()) scales[payer.target] += static_cast<double>(payer.spans);
    for (std::size_t i = 0; i < scales.size(); ++i)
        if (scales[i] > 0) scales[i] = true_hits(recording.targets[i]) / scales[i];
    return scales;
}

}  // namespace kcost::model
