// The built-in hot paths: one row each, nothing else. A new one is a new row.
#include "model/hot_path.h"

namespace kcost::model {
namespace {

constexpr Operand argument(unsigned number) { return {.is_return = false, .argument = number}; }
constexpr Operand kReturn{.is_return = true};

// sync_icache_aliases and not caches_clean_inval_pou: that one takes no probe, and on CPUs with a
// VIPT I-cache it is never called. Length 4 under arch_uprobe_copy_ixol is a uprobe's slot.
// It takes (start, end); before 5.14 it took (address, length).
HotPath icache_flush() {
    HotPath path;
    path.name = "icache-flush";
    path.summary = "instruction cache flush of new code: uprobe slots, executable mappings, ptrace";
    path.blind_spot =
        "code that the kernel patches or compiles (probes, static keys, BPF, modules) goes to "
        "caches_clean_inval_pou";
    path.functions = {"sync_icache_aliases"};
    path.split.by_caller = true;
    path.split.value = argument(1);
    path.split.minus = argument(0);
    path.split.value_name = "length";
    return path;
}

// caches_clean_inval_pou is assembly that takes no probe but a hardware breakpoint. Its name before
// Linux fade9c2c6ee2 ("arm64: Rename arm64-internal cache maintenance functions") (v5.14) was
// __flush_icache_range.
HotPath caches_clean_inval_pou() {
    HotPath path;
    path.name = "caches_clean_inval_pou";
    path.summary = "cache maintenance itself, whoever asks for it";
    path.blind_spot =
        "where the I-cache is VIPT, uprobe slots and executable mappings never come here";
    path.functions = {"caches_clean_inval_pou", "__flush_icache_range"};
    path.mechanism = "hwbreak";
    path.only_by_name = true;
    path.split.by_caller = true;
    return path;
}

HotPath flush_tlb_page() {
    HotPath path;
    path.name = "flush_tlb_page";
    path.summary = "broadcast TLB flush of one page, in each function that inlines it";
    path.blind_spot =
        "flushes of ranges and processes are in tlbi-broadcast, local ones in "
        "tlbi-local";
    path.operation = Operation{.broadcast = true, .one_page = true, .in = ""};
    path.never_preempted = true;  // the page table lock is held
    return path;
}

HotPath tlbi(bool broadcast) {
    HotPath path;
    path.name = broadcast ? "tlbi-broadcast" : "tlbi-local";
    path.summary = broadcast ? "every TLB flush that is sent to all CPUs, by function"
                             : "every TLB flush of a CPU's own TLB, by function";
    path.blind_spot = "KVM's code outside of the kernel proper (nVHE) takes no probe";
    path.operation = Operation{.broadcast = broadcast, .one_page = false, .in = ""};
    path.only_by_name = true;
    return path;
}

// Runs the flush exactly when `dirty` (argument 4) is set and the entry changed (1 is returned).
// The names: up to 6.8, from 6.9, from 7.1 on.
HotPath page_reuse() {
    HotPath path;
    path.name = "page-reuse";
    path.summary = "a write fault makes a page's entry writable, its TLB flush included";
    path.functions = {"__ptep_set_access_flags_anysz", "__ptep_set_access_flags",
                      "ptep_set_access_flags"};
    path.only_by_name = true;
    path.when = {{argument(4), "!=", 0}, {kReturn, "==", 1}};
    path.never_preempted = true;  // the page table lock is held
    return path;
}

HotPath context_switch() {
    HotPath path;
    path.name = "context-switch";
    path.summary = "switch to another process's address space, ASID included";
    path.functions = {"check_and_switch_context"};
    path.never_preempted = true;
    path.run_queue_lock = true;
    return path;
}

// The allocator's entry points differ by kernel (kmalloc of a constant size is kmalloc_trace in
// 6.1, __kmalloc_cache_noprof from 6.11 on; all got _noprof in 6.10), and by how the caller spells
// it, so all that exist are measured. krealloc is left out: it calls one of these. The handler that
// allocates is inlined in uprobe_notify_resume, or since 6.18 called from it.
HotPath uretprobe_alloc() {
    HotPath path;
    path.name = "uretprobe-alloc";
    path.summary = "memory allocated while a uprobe or uretprobe hit is handled";
    path.functions = {
        "__kmalloc",
        "__kmalloc_noprof",
        "__kmalloc_node_track_caller",
        "__kmalloc_node_track_caller_noprof",
        "kmalloc_trace",
        "kmalloc_trace_noprof",
        "__kmalloc_cache_noprof",
        "kmem_cache_alloc",
        "kmem_cache_alloc_noprof",
    };
    path.every_function = true;
    path.within = {"uprobe_notify_resume"};
    return path;
}

}  // namespace

const std::vector<HotPath>& built_in_hot_paths() {
    static const std::vector<HotPath> paths = [] {
        std::vector<HotPath> rows = {
            icache_flush(), caches_clean_inval_pou(), flush_tlb_page(), tlbi(true), tlbi(false),
            page_reuse(),   context_switch(),         uretprobe_alloc()};
        for (HotPath& row : rows) row.built_in = true;
        return rows;
    }();
    return paths;
}

}  // namespace kcost::model
