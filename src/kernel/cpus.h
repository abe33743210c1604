// Processors, threads, memory and file descriptors: what tables are sized by.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// "0-3,8" → 0 1 2 3 8; "" is no CPU. Nothing where the text is malformed.
std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text);

Result<std::vector<unsigned>> online_cpus(const Root& root);
/// CPUs that may ever be online: highest number + 1, which is what per-CPU tables need.
Result<unsigned> possible_cpus(const Root& root);

/// Threads in the system now (the fourth field of /proc/loadavg).
Result<std::uint64_t> thread_count(const Root& root);

/// Runnable and blocked threads, averaged over the last minute.
Result<double> load_average(const Root& root);

struct Memory {
    std::uint64_t total_bytes = 0;
    std::uint64_t available_bytes = 0;
};
Result<Memory> read_memory(const Root& root);

}  // namespace kcost::kernel
