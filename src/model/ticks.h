// What one run of a workload counted: units of work by CPU, in ticks of a second. Passive data, and
// the rates that follow from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kcost::model {

struct Tick {
    std::uint64_t elapsed_ns = 0;      ///< as it was, a second or a little more
    std::vector<std::uint64_t> units;  ///< by CPU, in the order of Ticks::cpus
};

/// What somebody else counted of the same work from its first unit to its last, warm-up included:
/// the kernel, or the other side.
struct Proof {
    std::string what;  ///< "minor faults"; empty: nobody counted
    std::uint64_t counted = 0;
    std::uint64_t units = 0;
};

struct Ticks {
    std::string workload;
    std::string unit;         ///< of work, in the plural: "hits"
    std::string members_are;  ///< "threads" or "processes"
    unsigned members = 0;     ///< that worked
    std::vector<unsigned> cpus;
    std::uint64_t seed = 0;
    std::uint64_t footprint_bytes = 0;  ///< 0: the workload has none
    unsigned warm_up_ticks = 0;         ///< that were run before and are not here
    unsigned asked_ticks = 0;           ///< fewer are here where it was interrupted
    std::vector<Tick> ticks;
    Proof proof;
    bool interrupted = false;        ///< nothing is to follow
    std::vector<std::string> notes;  ///< what else to know, such as the first instruction probed
};

/// Of ticks; the sd is the sample's (n - 1), 0 of less than two.
struct Rate {
    double mean_per_s = 0;
    double sd_per_s = 0;
    std::size_t n = 0;
};

/// Of all CPUs.
std::uint64_t units_of(const Tick& tick);
std::uint64_t units_of(const std::vector<Tick>& ticks);

Rate rate_of(const Ticks& ticks);
Rate rate_of_cpu(const Ticks& ticks, std::size_t cpu_index);

/// More than one in a hundred apart: something else was counted, or something not.
bool is_doubtful(const Proof& proof);

}  // namespace kcost::model
