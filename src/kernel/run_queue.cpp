#include "kernel/run_queue.h"

#include <fnmatch.h>

#include <array>
#include <string>

namespace kcost::kernel {

// The scheduler's inner functions by their names' pattern: one too many costs a stack, one too few
// might cost the machine.
bool runs_under_run_queue_lock(std::string_view function) {
    constexpr std::array kPatterns = {
        "check_and_switch_context*",
        "cpu_do_switch_mm*",
        "switch_mm*",
        "*_task_fair*",
        "*_task_rt*",
        "*_task_dl*",
        "*_task_scx*",
        "*_task_stop*",
        "*_task_idle*",
        "pick_next_*",
        "pick_task*",
        "put_prev_*",
        "set_next_*",
        "enqueue_*",
        "dequeue_*",
        "update_curr*",
        "update_load_avg*",
        "__update_load_avg*",
        "update_rq_clock*",
        "update_cfs_*",
        "update_min_vruntime*",
        "ttwu_*",
        "activate_task*",
        "deactivate_task*",
        "resched_curr*",
        "check_preempt_*",
        "wakeup_preempt*",
        "finish_task_switch*",
        "prepare_task_switch*",
        "newidle_balance*",
        "sched_balance_*",
        "load_balance*",
        "task_tick_*",
        "scheduler_tick*",
        "sched_tick*",
        "psi_*",
        "cpuacct_*",
        "place_entity*",
        "reweight_*",
    };
    std::string name(function);
    for (const char* pattern : kPatterns) {
        if (::fnmatch(pattern, name.c_str(), 0) == 0) return true;
    }
    return false;
}

}  // namespace kcost::kernel
