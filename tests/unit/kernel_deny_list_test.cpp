#include <gtest/gtest.h>

#include "kernel/deny_list.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

bool denied(std::string_view function, bool at_exit = false) {
    ProbeWish wish;
    wish.function = function;
    wish.at_exit = at_exit;
    return denied_reason(wish, KprobeBlacklist()).has_value();
}

TEST(DenyList, DeniesWhatProbesStandOn) {
    for (const char* name : {"el0_svc",
                             "el1h_64_irq_handler",
                             "vectors",
                             "do_debug_exception",
                             "brk_handler",
                             "single_step_handler",
                             "do_el1_brk64",
                             "kprobe_breakpoint_handler",
                             "setup_singlestep",
                             "arch_prepare_kprobe",
                             "get_kprobe",
                             "ftrace_caller",
                             "ftrace_ops_list_func",
                             "bpf_trampoline_link_prog",
                             "__bpf_prog_enter",
                             "__bpf_prog_exit_recur",
                             "bpf_prog_6deef7357e7b4530_kc_entry",
                             "ktime_get_mono_fast_ns",
                             "get_jiffies_64",
                             "arch_counter_get_cntvct",
                             "arch_stack_walk",
                             "unwind_next",
                             "perf_callchain_kernel",
                             "get_perf_callchain",
                             "bpf_get_stackid",
                             "stack_map_alloc",
                             "htab_map_update_elem",
                             "array_map_lookup_elem",
                             "rcu_nmi_enter",
                             "ct_nmi_enter",
                             "irqentry_enter",
                             "panic",
                             "die",
                             "oops_enter",
                             "__switch_to",
                             "cpu_switch_to",
                             "__schedule",
                             "schedule_tail",
                             "ret_from_fork",
                             "trace_call_bpf",
                             "copy_from_kernel_nofault",
                             "multi_cpu_stop",
                             "aarch64_insn_patch_text_nosync",
                             "cpu_do_idle",
                             "migrate_disable",
                             "__set_fixmap",
                             "swsusp_arch_suspend",
                             "cpu_enable_pan",
                             "mte_cpu_setup",
                             "kpti_install_ng_mappings",
                             "__cpu_replace_ttbr1",
                             "cpu_install_idmap",
                             "do_mem_abort"}) {
        EXPECT_TRUE(denied(name)) << name;
    }
}

TEST(DenyList, DeniesVariantsAliasesAndNamesWithAModule) {
    EXPECT_TRUE(denied("unwind_next.isra.0"));
    EXPECT_TRUE(denied("__pi_panic"));
    EXPECT_TRUE(denied("vmlinux:__schedule"));
    EXPECT_FALSE(denied(""));
    EXPECT_FALSE(denied("__pi_"));
}

TEST(DenyList, AllowsWhatPeopleWantToMeasure) {
    for (const char* name : {"check_and_switch_context",
                             "sync_icache_aliases",
                             "ptep_set_access_flags",
                             "__ptep_set_access_flags",
                             "__ptep_set_access_flags_anysz",
                             "__kmalloc",
                             "kmalloc_trace",
                             "__kmalloc_noprof",
                             "__kmalloc_cache_noprof",
                             "kmem_cache_alloc_noprof",
                             "kfree",
                             "kmem_cache_free",
                             "uprobe_notify_resume",
                             "uprobe_handle_trampoline",
                             "handler_chain",
                             "arch_uprobe_copy_ixol",
                             "arch_uprobe_pre_xol",
                             "handle_mm_fault",
                             "do_wp_page",
                             "ptep_clear_flush",
                             "tlb_flush",
                             "__flush_tlb_range",
                             "flush_tlb_mm",
                             "vfs_read",
                             "ksys_read",
                             "__arm64_sys_getppid",
                             "tcp_sendmsg",
                             "wake_up_process",
                             "cpu_do_switch_mm",
                             "caches_clean_inval_pou",
                             "finish_task_switch.isra.0",
                             "begin_new_exec",
                             "invoke_syscall",
                             "do_el0_svc",
                             "schedule",
                             "try_to_wake_up",
                             "__migrate_folio",
                             "migrate_pages",
                             "__memcpy",
                             "__arch_copy_to_user",
                             "mutex_lock",
                             "down_read",
                             "rb_insert_color",
                             "printk",
                             "stack_depot_save",
                             "timekeeping_advance"}) {
        EXPECT_FALSE(denied(name, true)) << name;
    }
}

TEST(DenyList, CountsEntriesOfLocksButNotTheirExits) {
    for (const char* name : {"_raw_spin_lock", "_raw_spin_unlock_irqrestore", "_raw_read_lock",
                             "queued_spin_lock_slowpath", "do_exit", "do_group_exit"}) {
        EXPECT_FALSE(denied(name)) << name;
        EXPECT_TRUE(denied(name, true)) << name;
    }
}

TEST(DenyList, AsksTheKernelsOwnListByAddressAndName) {
    const auto list = KprobeBlacklist::read(guest("arm64-6.1"));
    ASSERT_TRUE(list);
    EXPECT_TRUE(denied_reason({"bsearch", 0, false, "hwbreak"}, *list));
    EXPECT_TRUE(denied_reason({"some_name", 0xffffaf0c6e63fd14, false, "fentry"}, *list));
    EXPECT_FALSE(denied_reason({"vfs_read", 0xffffaf0c6e3a0710, true, "fentry"}, *list));
}

TEST(DenyList, DoesNotConcernUserFunctionsAndSamples) {
    const KprobeBlacklist none;
    EXPECT_FALSE(denied_reason({"panic", 0, true, "user"}, none));
    EXPECT_FALSE(denied_reason({"panic", 0, false, "sample"}, none));
    EXPECT_TRUE(denied_reason({"panic", 0, false, "hwbreak"}, none));
}

TEST(DenyList, ReasonsAreClausesForPeople) {
    const auto reason = denied_reason({"__schedule", 0, true, "kprobe"}, KprobeBlacklist());
    ASSERT_TRUE(reason);
    EXPECT_EQ(reason->substr(0, 3), "it ");
    EXPECT_NE(reason->find("another"), std::string::npos);
}

}  // namespace
}  // namespace kcost::kernel
