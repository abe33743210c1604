// What a probe's link says of hits that the kernel dropped.
#pragma once

#include <cstdint>
#include <optional>

namespace kcost::probe {

/// Misses of a kprobe or kretprobe from its link; nothing where the kernel does not tell.
std::optional<std::uint64_t> probe_misses(int link_fd);

/// Hits that a program's own recursion guard refused. For kprobes only from the kernel on that
/// also counts them there, see link_misses.cpp.
std::optional<std::uint64_t> recursion_misses(int program_fd);

}  // namespace kcost::probe
