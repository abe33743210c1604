// Functions that kcost probes by no mechanism, whatever the kernel would let it do, and why. A
// hardware breakpoint or fentry knows no blacklist of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/probe_lists.h"

namespace kcost::kernel {

struct ProbeWish {
    std::string_view function;              ///< with or without a variant suffix and __pi_
    std::uint64_t address = 0;              ///< 0: not known; the blacklist is asked by name too
    bool at_exit = false;                   ///< also its return, so more than counting entries
    std::string_view mechanism = "kprobe";  ///< "user" and "sample" touch no kernel text
};

/// Why it is denied, as a clause that follows "FUNCTION: "; none: allowed.
std::optional<std::string> denied_reason(const ProbeWish& wish, const KprobeBlacklist& blacklist);

}  // namespace kcost::kernel
