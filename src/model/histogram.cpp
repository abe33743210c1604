#include "model/histogram.h"

#include <algorithm>
#include <bit>

namespace kcost::model {
namespace {

constexpr std::size_t kLinear = KC_BINS_PER_OCTAVE;  // below it, a bin a nanosecond
constexpr unsigned kStepBits = 3;
static_assert(1u << kStepBits == KC_BINS_PER_OCTAVE);

}  // namespace

std::size_t bin_of(std::uint64_t ns) {
    if (ns < kLinear) return ns;
    const unsigned octave = std::bit_width(ns) - 1;
    if (octave >= KC_BIN_MAX_BIT) return KC_BINS - 1;
    const std::uint64_t step = (ns >> (octave - kStepBits)) - KC_BINS_PER_OCTAVE;
    return (octave - 2) * KC_BINS_PER_OCTAVE + step;
}

std::array<std::uint8_t, KC_BIN_LOOKUP> bin_lookup() {
    std::array<std::uint8_t, KC_BIN_LOOKUP> table{};
    for (std::size_t ns = 0; ns < table.size(); ++ns)
        table[ns] = static_cast<std::uint8_t>(bin_of(ns));
    return table;
}

std::uint64_t bin_floor(std::size_t bin) {
    if (bin < kLinear) return bin;
    bin = std::min<std::size_t>(bin, KC_BINS - 1);
    const std::size_t octave = bin / KC_BINS_PER_OCTAVE + 2;
    const std::uint64_t step = bin % KC_BINS_PER_OCTAVE;
    return (KC_BINS_PER_OCTAVE + step) << (octave - kStepBits);
}

std::uint64_t Histogram::count() const {
    std::uint64_t sum = 0;
    for (std::uint64_t bin : bins) sum += bin;
    return sum;
}

void Histogram::add(const Histogram& other) {
    if (bins.size() < other.bins.size()) bins.resize(other.bins.size());
    for (std::size_t i = 0; i < other.bins.size(); ++i) bins[i] += other.bins[i];
}

double Histogram::quantile_ns(double fraction) const {
    double all = 0;
    for (std::uint64_t bin : bins) all += static_cast<double>(bin);
    if (all == 0) return 0;

    const double rank = std::clamp(fraction, 0.0, 1.0) * all;
    double before = 0;
    std::size_t last = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        if (bins[bin] == 0) continue;
        const auto here = static_cast<double>(bins[bin]);
        const auto low = static_cast<double>(bin_floor(bin));
        const auto high = static_cast<double>(bin_floor(bin + 1));
        if (before + here >= rank) return low + (high - low) * (rank - before) / here;
        before += here;
        last = bin;
    }
    return static_cast<double>(bin_floor(last + 1));  // rounding left the rank above the sum
}

}  // namespace kcost::model
