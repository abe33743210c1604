#include "workload/pin.h"

#include <sched.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace kcost::workload {
namespace {

// The kernel refuses a set that is smaller than its own, and one cpu_set_t is 1,024 CPUs.
using CpuSet = std::array<cpu_set_t, 16>;
constexpr unsigned kMostCpus = 16 * CPU_SETSIZE;

}  // namespace

Result<std::vector<unsigned>> allowed_cpus() {
    CpuSet allowed{};
    if (::sched_getaffinity(0, sizeof allowed, allowed.data())) {
        return fail(std::string("cannot read the allowed CPUs: ") + std::strerror(errno));
    }
    std::vector<unsigned> cpus;
    for (unsigned cpu = 0; cpu < kMostCpus; cpu++) {
        if (CPU_ISSET_S(cpu, sizeof allowed, allowed.data())) cpus.push_back(cpu);
    }
    if (cpus.empty()) return fail("cannot find a CPU that this process may use");
    return cpus;
}

Result<void> pin_to(unsigned cpu) {
    CpuSet one{};
    CPU_SET_S(cpu, sizeof one, one.data());
    if (::sched_setaffinity(0, sizeof one, one.data()) == 0) return {};
    return fail("cannot pin to CPU " + std::to_string(cpu) + ": " + std::strerror(errno));
}

Result<void> pin_to_one_cpu() {
    auto allowed = allowed_cpus();
    if (!allowed) return tl::unexpected(allowed.error());
    return pin_to(allowed->back());
}

}  // namespace kcost::workload
