// What the running kernel does for its CPU's caches and TLBs, read from its live text: features and
// errata as they are active, whatever registers and configuration say.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/flow.h"
#include "kernel/root.h"
#include "model/recording.h"

namespace kcost::kernel {

/// Adds cpu.idc ("yes": data caches need no cleaning for instruction fetch), cpu.dic ("yes":
/// instruction caches need no invalidation), cpu.icache ("PIPT" or "VIPT"), cpu.tlbi_repeat ("yes":
/// each broadcast TLBI and its barrier run twice, for an erratum) and cpu.kpti ("yes": a second
/// TLBI for the user's half). Unknown with its reason where text cannot be read or understood.
void add_live_facts(const Root& root, model::Machine& machine);

/// Does the flow of caches_clean_inval_pou do this kind of cache maintenance? Pure.
struct CacheWork {
    bool cleans_data = false;
    bool invalidates_instructions = false;
};
CacheWork cache_work(const Flow& caches_clean_inval_pou);

/// Address of __icache_flags, which sync_icache_aliases tests before all else. Pure.
std::optional<std::uint64_t> icache_flags_address(const Flow& sync_icache_aliases);

}  // namespace kcost::kernel
