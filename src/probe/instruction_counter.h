// The kernel's instructions on some CPUs, by their counters: what a path costs where time does not
// tell, as in an emulator that counts them exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fd.h"

namespace kcost::probe {

class InstructionCounter {
public:
    /// A CPU whose counter cannot be had has none, as most virtual machines' have.
    explicit InstructionCounter(const std::vector<unsigned>& cpus);

    /// From here on is counted; until the last look().
    void begin();
    void look();
    /// What these CPUs ran in the kernel in between. None: one of them has no counter, or shared it
    /// with other events.
    std::optional<std::uint64_t> of(const std::vector<unsigned>& cpus) const;

private:
    struct Reading {
        std::uint64_t instructions = 0;
        std::uint64_t enabled_ns = 0;
        std::uint64_t running_ns = 0;
    };
    struct Counter {
        unsigned cpu = 0;
        Fd event;
        std::optional<Reading> first;
        std::optional<Reading> last;
    };
    static std::optional<Reading> read(const Fd& event);
    static std::optional<std::uint64_t> counted(const Counter& counter);

    std::vector<Counter> counters_;
};

}  // namespace kcost::probe
