#include "probe/heartbeat.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>

namespace kcost::probe {
namespace {

constexpr double kPerSecond = 1e9;
constexpr unsigned kFirstTicks = 4;
constexpr std::uint64_t kPatience_ns = 500'000'000;
constexpr std::array<double, 4> kHz = {100, 250, 300, 1000};

void store(__u64& shared, std::uint64_t value) {
    std::atomic_ref<__u64>(shared).store(value, std::memory_order_release);
}

// HZ is one of a few; a short measurement only has to tell them apart.
double nearest_hz(double measured) {
    double best = kHz.front();
    for (double hz : kHz) {
        double ratio = std::max(hz / measured, measured / hz);
        if (ratio < std::max(best / measured, measured / best)) best = hz;
    }
    return best;
}

}  // namespace

std::uint64_t monotonic_ns() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

Result<Heartbeat> Heartbeat::start(SharedMaps& maps) {
    Heartbeat heartbeat(maps);
    auto found = heartbeat.time_first_jiffies();
    if (!found) return tl::unexpected(found.error());
    return heartbeat;
}

// From one edge to another some jiffies later. Where the CPU that keeps time does not get to run
// for so long (a crowded hypervisor), the lowest HZ is taken: the deadline then comes too early,
// never too late, and it moves on every second.
Result<void> Heartbeat::time_first_jiffies() {
    const kc_control& control = maps_->control();
    early_jiffies_per_s_ = kHz.front();
    std::uint64_t give_up_ns = monotonic_ns() + kPatience_ns;
    auto run = maps_->run_beat();
    std::uint64_t seen = control.jiffies_now;
    while (run && monotonic_ns() < give_up_ns) {
        ::usleep(200);
        // From before the first look to after the last: a delay makes HZ seem lower, never higher.
        std::uint64_t before_ns = monotonic_ns();
        run = maps_->run_beat();
        if (!run || control.jiffies_now == seen) continue;
        seen = control.jiffies_now;
        if (!first_ns_) {
            first_ns_ = before_ns;
            first_jiffies_ = seen;
        } else if (seen - first_jiffies_ >= kFirstTicks) {
            auto elapsed_ns = static_cast<double>(monotonic_ns() - first_ns_);
            early_jiffies_per_s_ =
                nearest_hz(static_cast<double>(seen - first_jiffies_) * kPerSecond / elapsed_ns);
            return {};
        }
    }
    if (!first_ns_) {
        first_ns_ = monotonic_ns();
        first_jiffies_ = seen;
    }
    return run;
}

double Heartbeat::jiffies_per_s() const {
    double seconds = static_cast<double>(monotonic_ns() - first_ns_) / kPerSecond;
    if (seconds < 2) return early_jiffies_per_s_;
    return static_cast<double>(maps_->control().jiffies_now - first_jiffies_) / seconds;
}

Result<void> Heartbeat::move_deadline() {
    auto run = maps_->run_beat();
    if (!run) return run;
    kc_control& control = maps_->control();
    double jiffies = jiffies_per_s() * static_cast<double>(kDeadline_ns) / kPerSecond;
    store(control.deadline_jiffies, control.jiffies_now + static_cast<std::uint64_t>(jiffies));
    return {};
}

Result<void> Heartbeat::resume() {
    resumed_ns_ = last_beat_ns_ = monotonic_ns();
    store(maps_->control().resumed_ns, resumed_ns_);
    counting_ = true;
    return move_deadline();
}

void Heartbeat::stop() {
    store(maps_->control().deadline_jiffies, 0);
    if (!counting_) return;
    counted_ns_ = window_ns();
    counting_ = false;
}

Result<void> Heartbeat::beat() {
    if (!counting_) return {};
    std::uint64_t now = monotonic_ns();
    if (now - last_beat_ns_ > kDeadline_ns) {
        std::uint64_t stopped_ns = last_beat_ns_ + kDeadline_ns;
        counted_ns_ += stopped_ns - resumed_ns_;
        gaps_.push_back({stopped_ns, now, "kcost did not run, so the probes stopped counting"});
        resumed_ns_ = now;
        store(maps_->control().resumed_ns, now);
    }
    last_beat_ns_ = now;
    return move_deadline();
}

std::uint64_t Heartbeat::window_ns() const {
    if (!counting_) return counted_ns_;
    return counted_ns_ + (monotonic_ns() - resumed_ns_);
}

}  // namespace kcost::probe
