#include "workload/calls.h"

#include <sys/syscall.h>
#include <unistd.h>

// Probed by its name, so it must stay a function and keep that name.
extern "C" [[gnu::noinline]] void kcost_counted() { asm volatile(""); }

namespace kcost::workload {

Result<void> own_calls(std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; i++) kcost_counted();
    return {};
}

Result<void> getppid_calls(std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; i++) ::syscall(SYS_getppid);
    return {};
}

}  // namespace kcost::workload
