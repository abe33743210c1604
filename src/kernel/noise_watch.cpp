#include "kernel/noise_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/text.h"
#include "kernel/cpus.h"

namespace kcost::kernel {
namespace {

// Less is in every machine: timers, a kernel thread now and then.
constexpr double kOtherLoad = 0.02;  // of the CPUs' time
constexpr double kSteal = 0.005;     // likewise
constexpr double kFrequency = 0.05;  // of the highest
constexpr std::uint64_t kSuspended_ns = 10'000'000;

std::uint64_t clock_ns(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t number_in(const Root& root, const std::string& path) {
    const auto text = read_file(root.at(path));
    return text ? parse_number(trim(*text)).value_or(0) : 0;
}

/// "cpu  user nice system idle iowait irq softirq steal …", in ticks of USER_HZ, as ns.
std::vector<std::uint64_t> cpu_times_ns(const Root& root) {
    constexpr std::size_t kSteals = 7;
    std::vector<std::uint64_t> times;
    const auto text = read_file(root.at("/proc/stat"));
    if (!text) return times;
    const std::uint64_t tick_ns =
        1'000'000'000 / static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
    const std::string_view line = std::string_view(*text).substr(0, text->find('\n'));
    for (std::string_view field : split(line, ' ')) {
        const auto ticks = parse_number(field);
        if (ticks && times.size() <= kSteals) times.push_back(*ticks * tick_ns);
    }
    if (times.size() <= kSteals) times.clear();
    return times;
}

double part(std::uint64_t of_ns, std::uint64_t all_ns) {
    return all_ns ? static_cast<double>(of_ns) / static_cast<double>(all_ns) : 0;
}

std::uint64_t grown(std::uint64_t before, std::uint64_t after) {
    return after > before ? after - before : 0;
}

}  // namespace

NoiseWatch::NoiseWatch(Root root, std::vector<unsigned> cpus)
    : root_(std::move(root)),
      cpus_(std::move(cpus)),
      began_(now()),
      lowest_khz_(cpus_.size()),
      highest_khz_(cpus_.size()) {}

NoiseWatch::Moment NoiseWatch::now() const {
    Moment moment;
    const auto times = cpu_times_ns(root_);
    if (!times.empty()) {
        constexpr std::size_t kIdle = 3, kWaits = 4, kStolen = 7;
        for (std::uint64_t time_ns : times) moment.all_ns += time_ns;
        moment.stolen_ns = times[kStolen];
        moment.busy_ns = moment.all_ns - times[kIdle] - times[kWaits] - moment.stolen_ns;
    }
    if (auto online = read_file(root_.at("/sys/devices/system/cpu/online")))
        moment.online = trim(*online);
    for (unsigned cpu : parse_cpu_list(moment.online).value_or(std::vector<unsigned>{})) {
        moment.throttled += number_in(
            root_,
            fmt::format("/sys/devices/system/cpu/cpu{}/thermal_throttle/core_throttle_count", cpu));
    }
    if (root_.live())
        moment.suspended_ns = grown(clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_BOOTTIME));
    return moment;
}

void NoiseWatch::second() {
    for (std::size_t i = 0; i < cpus_.size(); i++) {
        const std::uint64_t khz = number_in(
            root_, fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", cpus_[i]));
        if (khz == 0) continue;
        lowest_khz_[i] = lowest_khz_[i] ? std::min(lowest_khz_[i], khz) : khz;
        highest_khz_[i] = std::max(highest_khz_[i], khz);
    }
}

std::vector<model::Noise> NoiseWatch::end(std::uint64_t own_ns) const {
    std::vector<model::Noise> found;
    const Moment ended = now();
    const std::uint64_t all_ns = grown(began_.all_ns, ended.all_ns);
    const double steal = part(grown(began_.stolen_ns, ended.stolen_ns), all_ns);
    const double others = part(grown(own_ns, grown(began_.busy_ns, ended.busy_ns)), all_ns);
    if (steal > kSteal)
        found.push_back(
            {"steal", steal,
             fmt::format("the hypervisor took {} of the CPUs' time", format_percent(steal))});
    if (others > kOtherLoad)
        found.push_back({"other load", others,
                         fmt::format("others used {} of the CPUs' time", format_percent(others))});
    for (std::size_t i = 0; i < cpus_.size(); i++) {
        if (highest_khz_[i] == 0) continue;
        const double change = 1 - part(lowest_khz_[i], highest_khz_[i]);
        if (change <= kFrequency) continue;
        found.push_back({"frequency", change,
                         fmt::format("CPU {} ran at {} to {} MHz", cpus_[i], lowest_khz_[i] / 1000,
                                     highest_khz_[i] / 1000)});
    }
    if (const std::uint64_t times = grown(began_.throttled, ended.throttled))
        found.push_back(
            {"thermal", 0, fmt::format("CPUs were throttled {} times for heat", times)});
    const std::uint64_t suspended_ns = grown(began_.suspended_ns, ended.suspended_ns);
    if (suspended_ns > kSuspended_ns)
        found.push_back(
            {"suspended", 0,
             "the machine was suspended for " + format_ns(static_cast<double>(suspended_ns))});
    if (began_.online != ended.online)
        found.push_back(
            {"hotplug", 0,
             fmt::format("CPUs online were {} and are {}", began_.online, ended.online)});
    return found;
}

}  // namespace kcost::kernel
