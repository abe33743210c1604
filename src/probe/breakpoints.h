// Hardware breakpoints of one site on kernel instructions: perf events on each CPU with the
// programs that they run. Not on a thread: arm64 refuses that for kernel text
// (hw_breakpoint_arch_parse).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "probe/libbpf.h"

namespace kcost::probe {

struct BreakpointScope {
    std::vector<unsigned> cpus;
    unsigned most_hits = 0;  ///< after which a breakpoint disarms itself; 0: never
};

/// An instruction and what runs there; without a program hits are only counted by the kernel.
struct Breakpoint {
    std::uint64_t address = 0;
    bpf_program* program = nullptr;
};

class Breakpoints {
public:
    /// Sets all of them everywhere, in this order. Errors: no register free, not a kernel address.
    static Result<Breakpoints> set(std::vector<Breakpoint> points, const BreakpointScope& scope);

    /// Hits that the kernel counted, also on CPUs that went away.
    std::uint64_t counted() const;

    /// Sets those of CPUs that came online since, also if they were away for a moment only.
    Result<void> follow(const std::vector<unsigned>& online);
    /// CPUs that came online while others already counted: the hits before that were not seen.
    unsigned cpus_that_came() const { return cpus_that_came_; }

    void clear() { events_.clear(); }

private:
    struct Event {
        std::size_t point = 0;
        unsigned cpu = 0;
        Fd own_fd;    ///< of an event without a program
        Link link;    ///< owns its event's descriptor
        int fd = -1;  ///< of the event, whoever owns it
        std::uint64_t enabled_ns = 0;
    };
    struct Reading {
        std::uint64_t hits = 0;
        std::uint64_t enabled_ns = 0;
    };
    Result<Event> open(std::size_t point, unsigned cpu) const;
    Result<void> enable(Event& event, Fd fd) const;
    static Reading read(const Event& event);
    void drop_cpu(unsigned cpu);
    bool is_alive(unsigned cpu);

    std::vector<Breakpoint> points_;
    unsigned most_hits_ = 0;
    std::vector<Event> events_;
    std::uint64_t hits_of_dropped_ = 0;
    unsigned cpus_that_came_ = 0;
};

}  // namespace kcost::probe
