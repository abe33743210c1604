/* SPDX-License-Identifier: GPL-2.0-only */
/* What is peculiar to hardware breakpoints: hits that the kernel drops, and hits that come twice. */
#ifndef KCOST_BREAKS_BPF_H
#define KCOST_BREAKS_BPF_H

#include "hit.bpf.h"

/*
 * Before all else: what the kernel counted and the programs did not see was dropped, since it runs
 * none inside another (bpf_overflow_handler, 5.10 to 7.3).
 */
static __always_inline void count_break(void)
{
	struct kc_cell *cell = cell_of(bpf_get_smp_processor_id(), 0);

	if (cell)
		ADD(cell->hits, 1);
}

/*
 * An interrupt that is pending when the kernel steps over a breakpoint is taken first, and the
 * instruction traps again after it. An entry while this very call is open is such a replay: the call
 * begins only now.
 */
static __always_inline int is_replay(const struct hit *hit, __u32 position)
{
	struct kc_set *set;
	__u32 way, at;
	struct kc_slot *slot = slot_of(hit->tag, &set, &way);
	struct kc_frame *frame;

	if (!slot)
		return 0;
	at = find_frame(slot, slot->depth - 1, position);
	if (at >= KC_FRAMES)
		return 0;
	frame = frame_at(slot, at);
	frame->inner_ns = 0;
	frame->recursion_ns = 0;
	frame->start_ns = bpf_ktime_get_ns();
	return 1;
}

static __always_inline int count_replay(__u32 cpu)
{
	struct kc_cell *cell = cell_of(cpu, 0);

	if (cell)
		ADD(cell->lost[KC_LOST_REPLAY], 1);
	return 0;
}

#endif
