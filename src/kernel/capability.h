// What this process may do here and what this kernel offers, before anything is tried: the first
// part of `kcost doctor`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

struct Check {
    std::string name;  ///< such as "rights to load BPF programs"
    bool ok = false;
    std::string detail;  ///< what was found
    std::string remedy;  ///< what mends it; empty where ok, or where nothing does
};

std::vector<Check> check_capabilities(const Root& root);

/// Numbers of linux/capability.h.
enum class Capability : unsigned {
    kSysRawio = 17,
    kSysAdmin = 21,
    kSyslog = 34,
    kPerfmon = 38,
    kBpf = 39,
};
bool has_capability(const Root& root, Capability capability);

/// "none" (also where the kernel has no lockdown), "integrity" or "confidentiality"; "unknown" and
/// why where it does not say.
std::string lockdown_level(const Root& root);

/// An error with its remedy (kCannotHere) where this process cannot load programs that trace the
/// kernel: rights, lockdown, BTF.
Result<void> require_tracing_rights(const Root& root);

}  // namespace kcost::kernel
