#include "probe/instruction_counter.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace kcost::probe {
namespace {

Fd open_event(unsigned cpu) {
    perf_event_attr wanted;
    std::memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    wanted.exclude_user = 1;
    wanted.exclude_hv = 1;
    return Fd(static_cast<int>(
        ::syscall(SYS_perf_event_open, &wanted, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}

}  // namespace

InstructionCounter::InstructionCounter(const std::vector<unsigned>& cpus) {
    for (unsigned cpu : cpus) {
        Fd event = open_event(cpu);
        if (event) counters_.push_back({cpu, std::move(event), {}, {}});
    }
}

std::optional<InstructionCounter::Reading> InstructionCounter::read(const Fd& event) {
    Reading reading;
    if (::read(event.get(), &reading, sizeof reading) != sizeof reading) return std::nullopt;
    return reading;
}

void InstructionCounter::begin() {
    for (Counter& counter : counters_) counter.first = read(counter.event);
}

void InstructionCounter::look() {
    for (Counter& counter : counters_) counter.last = read(counter.event);
}

std::optional<std::uint64_t> InstructionCounter::counted(const Counter& counter) {
    if (!counter.first || !counter.last) return std::nullopt;
    const std::uint64_t enabled_ns = counter.last->enabled_ns - counter.first->enabled_ns;
    const std::uint64_t running_ns = counter.last->running_ns - counter.first->running_ns;
    if (running_ns == 0 || running_ns != enabled_ns) return std::nullopt;
    return counter.last->instructions - counter.first->instructions;
}

std::optional<std::uint64_t> InstructionCounter::of(const std::vector<unsigned>& cpus) const {
    std::uint64_t sum = 0;
    for (unsigned cpu : cpus) {
        const auto found = std::find_if(counters_.begin(), counters_.end(),
                                        [&](const Counter& it) { return it.cpu == cpu; });
        if (found == counters_.end()) return std::nullopt;
        const auto of_cpu = counted(*found);
        if (!of_cpu) return std::nullopt;
        sum += *of_cpu;
    }
    return sum;
}

}  // namespace kcost::probe
