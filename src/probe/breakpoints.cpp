#include "probe/breakpoints.h"

#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/log.h"
#include "kernel/breakpoint_registers.h"

namespace kcost::probe {
namespace {

// x86 wants the length of a long for instructions, arm64 that of an instruction.
#if defined(__aarch64__)
constexpr std::uint64_t kLength = HW_BREAKPOINT_LEN_4;
#else
constexpr std::uint64_t kLength = sizeof(long);
#endif

perf_event_attr attributes(std::uint64_t address) {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.bp_type = HW_BREAKPOINT_X;
    attributes.bp_addr = address;
    attributes.bp_len = kLength;
    attributes.sample_period = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
    attributes.disabled = 1;
    attributes.exclude_user = 1;
    attributes.exclude_hv = 1;
    return attributes;
}

std::string holders() {
    std::string text;
    for (const std::string& holder : kernel::breakpoint_holders({})) {
        text += (text.empty() ? "" : ", ") + holder;
    }
    return text;
}

tl::unexpected<Error> explain(int error, std::uint64_t address, unsigned cpu) {
    if (error == ENOSPC) {
        std::string who = holders();
        return fail(fmt::format("no hardware breakpoint is free on CPU {}", cpu),
                    who.empty() ? "end the debugger that holds them" : "they may be held by " + who,
                    ExitCode::kCannotHere);
    }
    return fail(fmt::format("cannot set a hardware breakpoint at {:#x} on CPU {}: {}", address, cpu,
                            std::strerror(error)),
                "", ExitCode::kCannotHere);
}

}  // namespace

Result<Breakpoints::Event> Breakpoints::open(std::size_t point, unsigned cpu) const {
    perf_event_attr wanted = attributes(points_[point].address);
    Event event;
    event.point = point;
    event.cpu = cpu;
    Fd fd(static_cast<int>(
        ::syscall(SYS_perf_event_open, &wanted, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!fd) return explain(errno, wanted.bp_addr, cpu);
    event.fd = fd.get();
    auto enabled = enable(event, std::move(fd));
    if (!enabled) return tl::unexpected(enabled.error());
    return event;
}

Result<void> Breakpoints::enable(Event& event, Fd fd) const {
    const Breakpoint& breakpoint = points_[event.point];
    if (breakpoint.program) {
        event.link.reset(bpf_program__attach_perf_event(breakpoint.program, fd.get()));
        if (!event.link) {
            return fail("cannot attach to a breakpoint: " + explain_libbpf_failure(errno), "",
                        ExitCode::kCannotHere);
        }
        // The link closes it.
        fd.release();
    }
    bool limited = most_hits_ > 0;
    if (::ioctl(event.fd, limited ? PERF_EVENT_IOC_REFRESH : PERF_EVENT_IOC_ENABLE, most_hits_)) {
        return explain(errno, breakpoint.address, event.cpu);
    }
    event.own_fd = std::move(fd);
    return {};
}

Result<Breakpoints> Breakpoints::set(std::vector<Breakpoint> points, const BreakpointScope& scope) {
    Breakpoints set;
    set.points_ = std::move(points);
    set.most_hits_ = scope.most_hits;
    for (std::size_t point = 0; point < set.points_.size(); point++) {
        for (unsigned cpu : scope.cpus) {
            auto event = set.open(point, cpu);
            if (!event) return tl::unexpected(event.error());
            set.events_.push_back(std::move(*event));
        }
    }
    return set;
}

Breakpoints::Reading Breakpoints::read(const Event& event) {
    Reading reading;
    // What cannot be read has counted nothing that we know of.
    if (::read(event.fd, &reading, sizeof reading) != sizeof reading) return {};
    return reading;
}

std::uint64_t Breakpoints::counted() const {
    std::uint64_t hits = hits_of_dropped_;
    for (const Event& event : events_) hits += read(event).hits;
    return hits;
}

void Breakpoints::drop_cpu(unsigned cpu) {
    for (const Event& event : events_) {
        if (event.cpu == cpu) hits_of_dropped_ += read(event).hits;
    }
    std::erase_if(events_, [&](const Event& e) { return e.cpu == cpu; });
}

// The kernel takes a CPU's events away when it goes offline, and does not bring them back: their
// time stands still then.
bool Breakpoints::is_alive(unsigned cpu) {
    bool any = false;
    for (Event& event : events_) {
        if (event.cpu != cpu) continue;
        std::uint64_t enabled_ns = read(event).enabled_ns;
        if (enabled_ns == event.enabled_ns) return false;
        event.enabled_ns = enabled_ns;
        any = true;
    }
    return any;
}

Result<void> Breakpoints::follow(const std::vector<unsigned>& online) {
    std::set<unsigned> gone;
    for (const Event& event : events_) {
        gone.insert(event.cpu);
    }
    for (unsigned cpu : online) {
        gone.erase(cpu);
        if (is_alive(cpu)) continue;
        drop_cpu(cpu);
        cpus_that_came_++;
        for (std::size_t point = 0; point < points_.size(); point++) {
            auto event = open(point, cpu);
            // Gone again already: its time to come is the next beat.
            if (!event && event.error().what.find(std::strerror(ENODEV)) != std::string::npos) {
                break;
            }
            if (!event) return tl::unexpected(event.error());
            events_.push_back(std::move(*event));
        }
    }
    for (unsigned cpu : gone) drop_cpu(cpu);
    return {};
}

}  // namespace kcost::probe
