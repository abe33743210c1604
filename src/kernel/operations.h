// TLB maintenance in a function's control flow: `TLBI … DSB` sequences, each as the addresses
// between which it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/flow.h"
#include "kernel/live_text.h"
#include "kernel/symbols.h"

namespace kcost::kernel {

/*
 * A sequence begins at the barrier that orders the page table's stores before it (dsb ishst,
 * nshst), where all that follows comes to a TLBI or its barrier; else at the TLBI. It ends at the
 * first instruction behind the barrier that waits for it. Where the CPU's broadcasts are broken
 * (ARM64_WORKAROUND_REPEAT_TLBI) that barrier is followed, or branches, to `tlbi vale1is, xzr; dsb
 * ish`, which belongs to it. Where the stack pointer is another one behind the barrier than at the
 * beginning, the end is where it is the same again: that is how a span's end is told.
 */
struct OperationSite {
    std::uint64_t entry = 0;
    std::vector<std::uint64_t> exits;     ///< none: no barrier waits for it here
    std::vector<std::string> operations;  ///< "vale1is", distinct, without the repetition's
    bool broadcast = false;
    bool one_page = false;      ///< of one page of a process, not in a loop over pages
    bool in_loop = false;       ///< begins inside a loop, so an entry is not a flush
    bool escapes = false;       ///< on a path its barrier is left to somebody else
    bool repeated = false;      ///< each TLBI and DSB twice, for the erratum
    bool user_twin = false;     ///< a second TLBI for KPTI's user half is reachable
    bool frame_record = false;  ///< the function has made its frame record when it begins
};

/// By address.
std::vector<OperationSite> operation_sites(const Flow& flow);

struct FoundOperation {
    std::string function;
    std::uint64_t function_address = 0;
    OperationSite site;
};

/// Of all functions in the text. KVM's nVHE code is left out: it runs at another exception level.
std::vector<FoundOperation> find_operations(const TextRange& text, const Symbols& symbols);

/// What a page's broadcast flush in a function tells of the machine; empty: there is none.
struct BroadcastFacts {
    bool found = false;
    bool repeated = false;
    bool user_twin = false;
};
BroadcastFacts broadcast_facts(const std::vector<OperationSite>& sites);

}  // namespace kcost::kernel
