// The dead man's switch: programs run only while user space keeps moving their deadline. Also the
// quick stop and what was missed while kcost itself did not run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/recording.h"
#include "probe/shared_maps.h"

namespace kcost::probe {

/// CLOCK_MONOTONIC, ns: the programs' clock.
std::uint64_t monotonic_ns();

class Heartbeat {
public:
    static constexpr std::uint64_t kDeadline_ns = 10'000'000'000;

    /// Finds out how long a jiffy is: takes some 20 ms.
    static Result<Heartbeat> start(SharedMaps& maps);

    /// From now on programs count, and frames opened earlier do not.
    Result<void> resume();
    /// Programs return at once from now on. Time since resume, less gaps, is the window.
    void stop();
    /// To be called at least every few seconds while counting. Notices that it was not.
    Result<void> beat();

    std::uint64_t window_ns() const;
    const std::vector<model::Gap>& gaps() const { return gaps_; }

private:
    explicit Heartbeat(SharedMaps& maps) : maps_(&maps) {}
    Result<void> time_first_jiffies();
    Result<void> move_deadline();
    double jiffies_per_s() const;

    SharedMaps* maps_;
    std::uint64_t first_jiffies_ = 0;
    std::uint64_t first_ns_ = 0;
    double early_jiffies_per_s_ = 0;
    bool counting_ = false;
    std::uint64_t last_beat_ns_ = 0;
    std::uint64_t resumed_ns_ = 0;
    std::uint64_t counted_ns_ = 0;  ///< of windows that are closed
    std::vector<model::Gap> gaps_;
};

}  // namespace kcost::probe
