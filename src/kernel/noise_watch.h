// What disturbs a measurement while it runs: others' work, time that a hypervisor took, a frequency
// that changed, heat, suspension, CPUs that came or went. It tells; it corrects nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/root.h"
#include "model/measurement.h"

namespace kcost::kernel {

class NoiseWatch {
public:
    /// Watching begins; frequencies are those of `cpus`, where the kernel tells them.
    NoiseWatch(Root root, std::vector<unsigned> cpus);

    /// To be called about every second, while the measured work runs.
    void second();

    /// What was found since the beginning. `own_ns`: CPU time of what is measured and of kcost,
    /// which is nobody else's.
    std::vector<model::Noise> end(std::uint64_t own_ns) const;

private:
    struct Moment {
        std::uint64_t busy_ns = 0;    ///< of all CPUs
        std::uint64_t stolen_ns = 0;  ///< by the hypervisor
        std::uint64_t all_ns = 0;     ///< idle time included
        std::uint64_t throttled = 0;  ///< times, since boot
        std::uint64_t suspended_ns = 0;
        std::string online;
    };
    Moment now() const;

    Root root_;
    std::vector<unsigned> cpus_;
    Moment began_;
    std::vector<std::uint64_t> lowest_khz_;   ///< by CPU of cpus_; 0: not known
    std::vector<std::uint64_t> highest_khz_;  ///< likewise
};

}  // namespace kcost::kernel
