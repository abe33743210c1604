#include "probe/breakpoint_rate.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "kernel/cpus.h"
#include "probe/breakpoints.h"
#include "probe/heartbeat.h"

namespace kcost::probe {
namespace {

constexpr unsigned kLook_us = 50'000;

}  // namespace

Result<double> breakpoint_rate(std::uint64_t address) {
    auto online = kernel::online_cpus({});
    if (!online) return tl::unexpected(online.error());
    std::vector<Breakpoints> sets;
    for (unsigned cpu : *online) {
        auto set = Breakpoints::set({{address, nullptr}}, {{cpu}, 0});
        if (!set) return tl::unexpected(set.error());
        sets.push_back(std::move(*set));
    }
    const std::uint64_t began_ns = monotonic_ns();
    ::usleep(kLook_us);
    std::uint64_t most = 0;
    for (const Breakpoints& set : sets) most = std::max(most, set.counted());
    return static_cast<double>(most) * 1e9 / static_cast<double>(monotonic_ns() - began_ns);
}

}  // namespace kcost::probe
