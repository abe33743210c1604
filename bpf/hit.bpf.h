/* SPDX-License-Identifier: GPL-2.0-only */
/* What every program begins with: whether it may run, whose hit this is, and where it is counted. */
#ifndef KCOST_HIT_BPF_H
#define KCOST_HIT_BPF_H

#include "maps.bpf.h"
#include "slots.bpf.h"

static __always_inline int stopped(void)
{
	return bpf_jiffies64() > control.deadline_jiffies;
}

static __always_inline int is_self(const struct task_struct *task)
{
	return !(SETTING(flags) & KC_FLAG_INCLUDE_SELF) && (__u32)task->tgid == control.self_tgid;
}

static __always_inline struct kc_cell *cell_of(__u32 cpu, __u32 split)
{
	__u32 index = cpu * SETTING(splits) + split;

	return bpf_map_lookup_elem(&kc_cells, &index);
}

struct hit {
	struct task_struct *task;
	__u32 cpu;
	__u32 tag;
};

/* Whose hit this is; 0 where it is kcost's own. */
static __always_inline int begin_hit(struct hit *hit)
{
	hit->task = (struct task_struct *)bpf_get_current_task_btf();
	if (is_self(hit->task))
		return 0;
	hit->cpu = bpf_get_smp_processor_id();
	hit->tag = tag_of(hit->task, hit->cpu);
	return 1;
}

#endif
