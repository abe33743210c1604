#include "kernel/architecture.h"

#include <sys/utsname.h>

#include "kernel/facts.h"

namespace kcost::kernel {

/// Since Linux bfca3dd3d068 ("kernel/utsname_sysctl.c: print kernel arch") (v6.1) a file tells it.
std::string architecture(const Root& root) {
    const std::string told = read_fact(root, "/proc/sys/kernel/arch");
    utsname names{};
    if (!told.starts_with(kUnknown) || !root.live() || ::uname(&names) != 0) return told;
    return names.machine;
}

}  // namespace kcost::kernel
