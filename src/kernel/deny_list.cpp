#include "kernel/deny_list.h"

#include <fnmatch.h>

#include <array>
#include <vector>

#include "base/text.h"
#include "kernel/kallsyms_line.h"

namespace kcost::kernel {

namespace {

enum class Denied {
    kWhole,  ///< nothing may be probed
    kExit,   ///< counting entries is allowed
};

struct Rule {
    const char* reason;
    Denied denied;
    const char* patterns;  ///< globs of fnmatch(3) over the name without its suffix
};

// Names of 6.1 to 7.3, arm64 first. A pattern that is too wide costs somebody a measurement, one
// that is missing may cost him the machine.
const std::array<Rule, 15> kRules = {{
    {"it is kernel entry code: a probe's own exception would arrive before the kernel can take "
     "it",
     Denied::kWhole,
     "el0_* el1_* el0t_* el1t_* el1h_* vectors __bp_harden_* tramp_* arm64_enter_* arm64_exit_* "
     "enter_from_*_mode exit_to_*_mode exit_to_user_mode_* syscall_enter_from_user_mode* "
     "syscall_exit_to_user_mode* irqentry_* ret_to_user* ret_to_kernel call_on_irq_stack "
     "do_interrupt_handler __do_softirq __el0_* __el1_* el2_* elx_* __arm64_e*_kernel_mode "
     "gic_handle_irq gicv?_handle_irq __gic_handle_* sdei_* invoke_sdei_fn asm_* exc_* sysvec_* "
     "__sysvec_* entry_SYSCALL* entry_SYSENTER* common_interrupt* do_syscall_64 nmi_enter* "
     "nmi_exit* __sdei_* _sdei_handler do_sdei_event"},
    {"it handles faults, which probe programs raise themselves when they read memory",
     Denied::kWhole,
     "do_mem_abort do_page_fault do_translation_fault do_tag_check_fault do_sp_pc_abort "
     "do_alignment_fault __do_kernel_fault do_bad_area do_bad fixup_exception ex_handler_* "
     "search_exception_tables search_extable notify_page_fault copy_*_nofault "
     "strncpy_from_*_nofault strnlen_user_nofault exc_page_fault do_user_addr_fault "
     "do_kern_addr_fault"},
    {"it handles the very exceptions that probes raise, so a probe there would set itself off",
     Denied::kWhole,
     "do_debug_exception do_el1_* do_el?_bti do_el?_fpac do_undefinstr do_cp15instr do_sysinstr "
     "debug_exception_* brk_handler single_step_handler *_brk_handler *_step_handler "
     "*_breakpoint_handler *_breakpoint_ss_handler breakpoint_handler watchpoint_handler "
     "do_breakpoint do_watchpoint do_el?_brk64 do_el?_softstep early_brk64 "
     "aarch32_break_handler call_break_hook call_step_hook call_el?_break_hook "
     "try_step_suspended_breakpoints reinstall_suspended_bps debug_monitors_* "
     "*able_debug_monitors mdscr_* kernel_*_single_step user_*_single_step "
     "try_handle_aarch32_break *_regs_spsr_ss *_hw_breakpoint hw_breakpoint_* "
     "toggle_bp_registers read_wb_reg write_wb_reg uprobe_*_sstep_notifier bug_handler kgdb_* "
     "do_int3* poke_int3_handler notify_die atomic_notifier_call_chain"},
    {"it is part of the kernel's probe machinery, so a probe there would set itself off",
     Denied::kWhole,
     "kprobe* __kprobe* kretprobe* __kretprobe* *_kprobe *_kprobes *_kretprobe *_kprobe_* "
     "arch_kprobe* get_kprobe setup_singlestep trampoline_probe_handler trampoline_handler "
     "rethook_* arch_rethook_* aggr_*_handler opt_pre_handler optprobe* *_rp_inst* simulate_* "
     "arch_simulate_insn arm_probe_decode_insn __check_?? process_fetch_insn store_trace_* "
     "trace_call_bpf patch_map aarch64_insn_patch_* aarch64_insn_write* aarch64_insn_read "
     "aarch64_insn_copy aarch64_insn_set __set_fixmap* __aarch64_insn_* __text_poke text_poke* "
     "smp_text_poke* "
     "multi_cpu_stop stop_machine* __stop_machine*"},
    {"it is the kernel's function tracer, through which probes are called", Denied::kWhole,
     "ftrace_* __ftrace_* arch_ftrace_* *_ftrace_* function_graph_* function_trace_* fprobe_* "
     "__fprobe_* fgraph_* return_to_handler _mcount __fentry__ call_direct_funcs trace_graph_* "
     "trace_function*"},
    {"BPF programs run through it, kcost's among them, so a probe there would set itself off",
     Denied::kWhole,
     "bpf_* __bpf_* ___bpf_* btf_* htab_* __htab_* array_map_* percpu_array_* *_htab_elem "
     "lookup_elem_raw lookup_nulls_elem_raw prealloc_lru_pop *pcpu_freelist_* stack_map_* "
     "stackmap_* resilient_* rqspinlock_* migrate_disable migrate_enable __migrate_disable "
     "__migrate_enable __rcu_read_lock* __rcu_read_unlock* rcu_read_* preempt_count_add "
     "preempt_count_sub preempt_schedule*_notrace check_preemption_disabled "
     "debug_smp_processor_id lockdep_* lock_acquire lock_release trace_hardirqs_* "
     "irq_work_queue* __irq_work_queue*"},
    {"kcost's programs read the time through it, so a probe there would set itself off",
     Denied::kWhole,
     "ktime_get_*fast_ns __ktime_get_*fast* get_jiffies_64 arch_counter_* __arch_counter_* "
     "arch_timer_read* arch_timer_reg_* arch_sys_counter_read sched_clock* local_clock* "
     "trace_clock_* read_tsc kvm_clock_* pvclock_* *_read_cnt*ct_el0 raw_counter_get_*"},
    {"stack walks run through it, also those of probes", Denied::kWhole,
     "arch_stack_walk* arch_bpf_stack_walk unwind_* unwind __unwind_* kunwind_* walk_stackframe "
     "dump_backtrace* stack_trace_* stack_access_ok get_stack_info* stackinfo_* "
     "on_accessible_stack unwinder_* perf_callchain* get_perf_callchain get_callchain_* "
     "put_callchain_* return_address save_return_addr orc_* __orc_* kernel_text_address "
     "__kernel_text_address core_kernel_text is_ftrace_trampoline is_module_text_address"},
    {"perf delivers samples and breakpoint hits through it, also inside other probes",
     Denied::kWhole,
     "perf_event_overflow __perf_event_overflow perf_event_account_interrupt perf_bp_* "
     "perf_swevent_* perf_tp_event* perf_trace_* perf_output_* perf_event_output* "
     "perf_prepare_* perf_event_nmi_handler armv8pmu_* armpmu_* perf_event_update_* "
     "__perf_event_header* perf_misc_flags perf_instruction_pointer"},
    {"it runs where RCU does not watch or is told to, and probes rely on RCU", Denied::kWhole,
     "rcu_*_nmi rcu_nmi_* rcu_irq_* rcu_idle_* rcu_user_* rcu_eqs_* rcu_dynticks_* "
     "rcu_is_watching ct_nmi_* ct_irq_* ct_idle_* ct_kernel_* ct_user_* __ct_user_* "
     "context_tracking* cpu_do_idle arch_cpu_idle* default_idle* cpu_idle_poll enter_s2idle* "
     "cpuidle_enter_state* psci_cpu_suspend* psci_enter_* __psci_enter_* "
     "acpi_processor_ffh_lpi_enter acpi_idle_*"},
    {"it runs before a CPU is up, while it goes down, or outside the kernel's own page tables",
     Denied::kWhole,
     "primary_entry __primary_* secondary_startup* secondary_start_kernel "
     "secondary_holding_pen* secondary_entry __secondary_* __enable_mmu __cpu_setup "
     "__cpu_suspend_* __cpu_soft_restart cpu_soft_restart cpu_resume* _cpu_resume "
     "cpu_do_suspend cpu_do_resume idmap_* __idmap_* __hyp_* __kvm_nvhe_* __guest_enter* "
     "__guest_exit* __kvm_vcpu_run* kvm_arm_vcpu_enter_exit __activate_traps __deactivate_traps "
     "sysreg_*_state_vhe patch_alternative __apply_alternatives* swsusp_* "
     "cpu_enable_* mte_cpu_setup kpti_install_* *cpu_replace_ttbr1* cpu_install_idmap "
     "cpu_uninstall_idmap "
     "arm64_relocate_new_kernel startup_64 __efi_rt_asm_* __efistub_* early_fixup_*"},
    {"it runs when the kernel is dying, and a probe there could cost the crash report",
     Denied::kWhole,
     "panic vpanic panic_* nmi_panic* oops_* die __die* die_* __warn warn_slowpath_* __warn_* "
     "report_bug bust_spinlocks crash_* __crash_* machine_kexec* machine_crash_* "
     "machine_restart machine_halt machine_power_off emergency_restart arm64_notify_die "
     "arm64_serror_panic do_serror bad_mode handle_bad_stack __bad_stack __panic_unhandled "
     "nmi_cpu_backtrace* __stack_chk_fail show_regs* __show_regs dump_stack*"},
    {"it is entered on one task and left on another, so its entry and exit do not belong "
     "together",
     Denied::kWhole,
     "__switch_to __switch_to_asm cpu_switch_to __schedule schedule_tail ret_from_fork* "
     "ret_from_kernel_thread"},
    // Sleeping locks (mutexes, semaphores) are allowed: neither probes nor programs take them, and
    // their return is an ordinary one. Under PREEMPT_RT spin locks are rt_spin_*.
    {"it takes or gives a spinning lock, which return probes and BPF maps take themselves; its "
     "entries can be counted",
     Denied::kExit,
     "_raw_spin_* __raw_spin_* _raw_read_* _raw_write_* __raw_read_* __raw_write_* do_raw_* "
     "queued_spin_* queued_read_* queued_write_* native_queued_* __pv_queued_* osq_* rt_spin_* "
     "rt_read_* rt_write_* mcs_spin_*"},
    {"it never returns; its entries can be counted", Denied::kExit,
     "do_exit do_group_exit do_task_dead make_task_dead kthread_exit kthread_complete_and_exit "
     "__module_put_and_kthread_exit __*_sys_exit __*_sys_exit_group cpu_startup_entry do_idle "
     "rest_init start_kernel cpu_die arch_call_rest_init"},
}};

struct Pattern {
    std::string glob;
    const Rule* rule;
};

const std::vector<Pattern>& patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> list;
        for (const Rule& rule : kRules) {
            for (const auto glob : split(rule.patterns, ' ')) {
                list.push_back({std::string(glob), &rule});
            }
        }
        return list;
    }();
    return all;
}

}  // namespace

std::optional<std::string> denied_reason(const ProbeWish& wish, const KprobeBlacklist& blacklist) {
    if (wish.mechanism == "user" || wish.mechanism == "sample") return std::nullopt;
    const std::string_view plain = qualified(wish.function).name;
    const bool listed = blacklist.contains(wish.address) || blacklist.contains(plain);
    if (listed) return "the kernel's own blacklist keeps probes off it";
    std::string name(stem_of(plain));
    if (name.starts_with("__pi_")) name.erase(0, 5);
    if (name.empty()) return std::nullopt;
    for (const Pattern& pattern : patterns()) {
        if (pattern.rule->denied == Denied::kExit && !wish.at_exit) continue;
        const char first = pattern.glob.front();
        if (first != '*' && first != name.front()) continue;
        if (::fnmatch(pattern.glob.c_str(), name.c_str(), 0) == 0) return pattern.rule->reason;
    }
    return std::nullopt;
}

}  // namespace kcost::kernel
