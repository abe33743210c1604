// The table of open spans as user space sees it: what is in flight, and what its task left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bpf/abi.h"

namespace kcost::probe {

/// Open frames by site, of tasks that are alive or not.
std::vector<std::uint64_t> count_open(const kc_set* sets, std::size_t set_count, std::size_t sites);

/// Frees the slots of tasks that ended inside a span; gives their frames by site.
/// `is_alive(tag)` says whether the task is there.
std::vector<std::uint64_t> reclaim_ended(kc_set* sets, std::size_t set_count, std::size_t sites,
                                         bool (*is_alive)(std::uint32_t tag));

/// Whether this thread exists; idle tasks always do. True where pids cannot be compared.
bool thread_exists(std::uint32_t tag);

}  // namespace kcost::probe
