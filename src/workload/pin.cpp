#include "workload/pin.h"

#include <sched.h>

#include <cerrno>
#include <cstring>

namespace kcost::workload {

Result<void> pin_to_one_cpu() {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed)) {
        return fail(std::string("cannot read the allowed CPUs: ") + std::strerror(errno));
    }
    int cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(cpu, &allowed)) cpu--;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one)) {
        return fail(std::string("cannot pin to one CPU: ") + std::strerror(errno));
    }
    return {};
}

}  // namespace kcost::workload
