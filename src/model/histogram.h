// A distribution of durations in the log-linear bins of bpf/abi.h, and what is read from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bpf/abi.h"

namespace kcost::model {

/// Bin of a duration in ns. Same function as the BPF programs' look-up, tested against it.
std::size_t bin_of(std::uint64_t ns);

/// The programs' table: the bin of ns below KC_BIN_LOOKUP. A longer ns, up to 2^KC_BIN_MAX_BIT, is
/// shifted right by 8·k, k the smallest that brings it into the table, and 64·k added to its bin.
std::array<std::uint8_t, KC_BIN_LOOKUP> bin_lookup();

/// Least duration of a bin, ns; from KC_BINS - 1 on it is 2^KC_BIN_MAX_BIT.
std::uint64_t bin_floor(std::size_t bin);

struct Histogram {
    std::vector<std::uint64_t> bins;  ///< KC_BINS counts, or empty where nothing was timed

    std::uint64_t count() const;
    void add(const Histogram& other);

    /// Duration below which a fraction of the spans lie, ns, interpolated within its bin (so it is
    /// right to 1/8 of an octave); 0 where nothing was timed.
    double quantile_ns(double fraction) const;
};

}  // namespace kcost::model
