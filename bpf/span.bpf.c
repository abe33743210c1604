// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timed entry and exit of one target. User space loads a copy of this object for each target, with
 * constant settings, so that the verifier drops what the target does not need and the kernel's
 * recursion guard is the target's own. How probes fire is at the end; what they do is above.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "abi.h"
#include "kernel.h"
#include "breaks.bpf.h"
#include "callers.bpf.h"
#include "hit.bpf.h"
#include "maps.bpf.h"
#include "operands.bpf.h"
#include "slots.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline int passes_entry(void *ctx, enum context context, const struct hit *hit)
{
	if (SETTING(within) != KC_NO_TARGET && !is_within(hit->tag, SETTING(within)))
		return 0;
	if (SETTING(entry_when.op) == KC_OP_NONE)
		return 1;
	return compare(SETTING(entry_when.op),
		       operand_value(ctx, context, SETTING(entry_when.operand)),
		       SETTING64(entry_when.value));
}

static __always_inline void open_span(const struct hit *hit, struct kc_cell *cell,
				      const struct kc_frame *sample, __u32 split, __u32 position)
{
	struct kc_set *set = set_of(hit->tag);
	struct kc_frame *frame;
	struct kc_slot *slot;
	__u32 way, depth;
	int claimed;

	if (!set)
		return;
	way = claim_way(set, hit->tag, &claimed);
	if (way >= KC_WAYS) {
		ADD(cell->lost[KC_LOST_TABLE_FULL], 1);
		return;
	}
	slot = slot_at(set, way);
	depth = slot->depth;
	if (depth) {
		depth = drop_stale(slot, depth, position);
		/* Whoever claimed it will not give it back. */
		claimed |= !depth;
	}
	if (depth >= KC_FRAMES) {
		ADD(cell->lost[KC_LOST_DEPTH], 1);
		return;
	}
	/* Depth first: what an interrupt pushes from here on goes above this frame. */
	*(volatile __u32 *)&slot->depth = depth + 1;
	frame = frame_at(slot, depth);
	frame->position = position;
	frame->target = SETTING(target);
	frame->split = split;
	frame->sampled = sample->sampled;
	frame->outer = depth ? latest_open(slot, depth, SETTING(target)) : 0;
	frame->claimed = claimed;
	frame->recursion_ns = 0;
	if (sample->sampled) {
		frame->caller = sample->caller;
		frame->stack_id = sample->stack_id;
	}
	frame->start_ns = bpf_ktime_get_ns();
	frame->inner_ns = 0;
}

static __always_inline int enter(void *ctx, enum context context, __u32 position)
{
	struct kc_frame sample = { .stack_id = -1 };
	struct kc_cell *cell;
	struct hit hit;
	__u32 split = 0;

	if (stopped() || !begin_hit(&hit) || !passes_entry(ctx, context, &hit))
		return 0;
	if (SETTING(flags) & KC_FLAG_REPLAYS && is_replay(&hit, position))
		return count_replay(hit.cpu);
	if (SETTING(splits) > 1 && SETTING(split_operand) != KC_OPERAND_RETURN)
		split = entry_split(ctx, context);
	cell = cell_of(hit.cpu, split);
	if (!cell)
		return 0;
	ADD(cell->entries, 1);
	if (!(SETTING(flags) & KC_FLAG_NO_PAYERS) && !(cell->entries & SETTING(payer_mask)))
		sample_caller(ctx, context, cell, &sample);
	if (SETTING(flags) & KC_FLAG_COUNT_ONLY) {
		if (sample.sampled)
			record_payer(cell, hit.task, &sample, 0);
		return 0;
	}
	open_span(&hit, cell, &sample, split, position);
	return 0;
}

static __always_inline __u32 bin_of(__u64 ns)
{
	__u32 base = 0;

	if (ns >> KC_BIN_MAX_BIT)
		return KC_BINS - 1;
	if (ns >= KC_BIN_LOOKUP) {
		ns >>= 8;
		base = 64;
		if (ns >= KC_BIN_LOOKUP) {
			ns >>= 8;
			base = 128;
			if (ns >= KC_BIN_LOOKUP) {
				ns >>= 8;
				base = 192;
			}
		}
	}
	base += bin_lookup[ns & (KC_BIN_LOOKUP - 1)];
	return base < KC_BINS ? base : KC_BINS - 1;
}

static __always_inline void record_max(struct kc_cell *cell, __u64 ns)
{
	__u64 seen = cell->max_ns;

	if (!(SETTING(flags) & KC_FLAG_ATOMIC)) {
		if (ns > seen)
			cell->max_ns = ns;
		return;
	}
	for (int i = 0; i < 4 && ns > seen; i++)
		seen = __sync_val_compare_and_swap(&cell->max_ns, seen, ns);
}

static __always_inline __u32 result_split(void *ctx, enum context context)
{
	__u64 value = 0;

	if (context == REGISTERS)
		value = register_result((struct pt_regs *)ctx);
	else
		bpf_get_func_ret(ctx, &value);
	return split_of(0, value);
}

static __always_inline void count_unpaired(__u32 cpu)
{
	struct kc_cell *cell;

	/* Where entries are filtered, an exit without a frame is the rule. */
	if (SETTING(within) != KC_NO_TARGET || SETTING(entry_when.op) != KC_OP_NONE)
		return;
	if (SETTING(flags) & KC_FLAG_REPLAYS) {
		count_replay(cpu);
		return;
	}
	cell = cell_of(cpu, 0);
	if (cell)
		ADD(cell->lost[KC_LOST_NO_ENTRY], 1);
}

/* What is left of a frame once its slot is another's. */
struct closed {
	__u64 ns;
	__u64 start_ns;
	__u64 inner_ns;
	__u32 split;
	__u64 recursion_ns;
	struct kc_frame sample; /* only where sampled */
};

/* Takes the frame of this call off its task's stack; 0 where there is none. */
static __always_inline int close_span(const struct hit *hit, __u32 position, __u64 now,
				      struct closed *closed)
{
	struct kc_set *set;
	__u32 way, top, at, depth, claimed;
	struct kc_slot *slot = slot_of(hit->tag, &set, &way);
	struct kc_frame *frame;

	if (!slot)
		return 0;
	at = top = slot->depth - 1;
	if (top >= KC_FRAMES)
		return 0;
	frame = frame_at(slot, at);
	if (!is_this_call(frame, position)) {
		top = drop_deeper(slot, top + 1, position) - 1;
		at = find_frame(slot, top, position);
		if (at >= KC_FRAMES)
			return 0;
		frame = frame_at(slot, at);
	}
	closed->start_ns = frame->start_ns;
	closed->ns = now - closed->start_ns;
	closed->inner_ns = frame->inner_ns;
	closed->split = frame->split;
	closed->recursion_ns = frame->recursion_ns;
	claimed = frame->claimed;
	if (frame->outer)
		frame_at(slot, frame->outer - 1)->recursion_ns += closed->ns;
	closed->sample.sampled = frame->sampled;
	if (frame->sampled)
		closed->sample = *frame;
	if (at)
		add_to_caller(slot, at, position, closed->ns);
	depth = close_frame(slot, at, top, &claimed);
	*(volatile __u32 *)&slot->depth = depth;
	/*
	 * By the entry that claimed it only: an interrupt between a claim and its frame finds the slot
	 * empty, and must not give away what it did not take. A full barrier: whoever claims the slot
	 * next must find it empty.
	 */
	if (!depth && claimed)
		__sync_lock_test_and_set(&set->tags[way & (KC_WAYS - 1)], 0);
	return 1;
}

static __always_inline void record_span(struct kc_cell *cell, const struct closed *closed)
{
	ADD(cell->spans, 1);
	/* A call within a call of the same target is in that one's time already. */
	ADD(cell->total_ns, closed->ns - closed->recursion_ns);
	ADD(cell->self_ns, closed->ns - closed->inner_ns);
	record_max(cell, closed->ns);
	ADD(cell->bins[bin_of(closed->ns)], 1);
}

static __always_inline int leave(void *ctx, enum context context, __u32 position)
{
	struct closed closed;
	struct kc_cell *cell;
	struct hit hit;
	__u64 now;

	if (stopped())
		return 0;
	/* The clock before all else: what follows is not the function's time. */
	now = bpf_ktime_get_ns();
	if (!begin_hit(&hit))
		return 0;
	if (!close_span(&hit, position, now, &closed)) {
		count_unpaired(hit.cpu);
		return 0;
	}
	if (SETTING(splits) > 1 && SETTING(split_operand) == KC_OPERAND_RETURN)
		closed.split = result_split(ctx, context);
	cell = cell_of(hit.cpu, closed.split);
	if (!cell)
		return 0;
	if (closed.start_ns < control.resumed_ns) {
		ADD(cell->lost[KC_LOST_GAP], 1);
	} else if (closed.ns >> 63) {
		ADD(cell->lost[KC_LOST_CLOCK], 1);
	} else if (!passes_result(ctx, context)) {
		ADD(cell->rejected, 1);
	} else {
		record_span(cell, &closed);
		if (closed.sample.sampled)
			record_payer(cell, hit.task, &closed.sample, closed.ns);
	}
	return 0;
}

/*
 * A trampoline's arguments lie on the stack, and entry and exit see them at the same place. A copy
 * of half a pointer is a number to the verifier; arithmetic on the pointer itself it refuses.
 */
static __always_inline __u32 trampoline_position(const void *ctx)
{
	__u64 position;

	asm volatile("r0 = %1; w0 = w0; %0 = r0" : "=r"(position) : "r"(ctx) : "r0");
	return position;
}

SEC("fentry/kc_target")
int kc_fentry(__u64 *ctx)
{
	return enter(ctx, TRAMPOLINE, trampoline_position(ctx));
}

SEC("fexit/kc_target")
int kc_fexit(__u64 *ctx)
{
	return leave(ctx, TRAMPOLINE, trampoline_position(ctx));
}

/* Also for user probes: the program type is the same. */
SEC("kprobe")
int kc_kprobe(struct pt_regs *ctx)
{
	return enter(ctx, REGISTERS, entry_position(ctx));
}

SEC("kretprobe")
int kc_kretprobe(struct pt_regs *ctx)
{
	return leave(ctx, REGISTERS, exit_position(ctx));
}

/* Hardware breakpoints. The registers come first in their context, laid out as in pt_regs. */
SEC("perf_event")
int kc_break(struct pt_regs *ctx)
{
	count_break();
	return enter(ctx, REGISTERS, entry_position(ctx));
}

/* On a return instruction, so that it still has the stack pointer of the entry. */
SEC("perf_event")
int kc_break_exit(struct pt_regs *ctx)
{
	count_break();
	return leave(ctx, REGISTERS, entry_position(ctx));
}

/* On an instruction amid a function, by a kprobe. */
SEC("kprobe")
int kc_amid_exit(struct pt_regs *ctx)
{
	return leave(ctx, REGISTERS, entry_position(ctx));
}

/* Run by user space in its own context: who am I, and what time is it in jiffies? */
SEC("raw_tp")
int kc_beat(void *ctx)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();

	(void)ctx;
	control.self_tgid = task->tgid;
	control.jiffies_now = bpf_jiffies64();
	return 0;
}
