/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of open spans: a task's slot, and the frames in it. */
#ifndef KCOST_SLOTS_BPF_H
#define KCOST_SLOTS_BPF_H

#include "maps.bpf.h"


static __always_inline __u32 tag_of(const struct task_struct *task, __u32 cpu)
{
	__u32 pid = task->pid;

	return pid ? pid : (KC_IDLE_TAG | cpu);
}

static __always_inline struct kc_set *set_of(__u32 tag)
{
	__u32 index = tag & SETTING(set_mask);

	return bpf_map_lookup_elem(&kc_tasks, &index);
}

static __always_inline __u32 way_of(const struct kc_set *set, __u32 tag)
{
	if (set->tags[0] == tag)
		return 0;
	if (set->tags[1] == tag)
		return 1;
	if (set->tags[2] == tag)
		return 2;
	if (set->tags[3] == tag)
		return 3;
	return KC_WAYS;
}

static __always_inline __u32 claim_way(struct kc_set *set, __u32 tag, int *claimed)
{
	const __u64 *pairs = (const __u64 *)set->tags;
	__u32 way = KC_WAYS;

	/* An empty set is the rule. */
	if (pairs[0] | pairs[1])
		way = way_of(set, tag);
	*claimed = 0;
	if (way < KC_WAYS)
		return way;
	*claimed = 1;
	if (!__sync_val_compare_and_swap(&set->tags[0], 0, tag))
		return 0;
	if (!__sync_val_compare_and_swap(&set->tags[1], 0, tag))
		return 1;
	if (!__sync_val_compare_and_swap(&set->tags[2], 0, tag))
		return 2;
	if (!__sync_val_compare_and_swap(&set->tags[3], 0, tag))
		return 3;
	return KC_WAYS;
}

/*
 * By a mask that the compiler cannot see through: with a comparison it keeps a copy that the
 * verifier of 6.1 has no bounds for.
 */
static __always_inline struct kc_slot *slot_at(struct kc_set *set, __u32 way)
{
	asm volatile("%0 &= %1" : "+r"(way) : "i"(KC_WAYS - 1));
	return &set->ways[way];
}

static __always_inline struct kc_frame *frame_at(struct kc_slot *slot, __u32 index)
{
	asm volatile("%0 &= %1" : "+r"(index) : "i"(KC_FRAMES - 1));
	return &slot->frames[index];
}

/* Number from 1 of the latest open frame of the target, or 0. */
static __always_inline __u32 latest_open(const struct kc_slot *slot, __u32 depth, __u32 target)
{
	__u32 latest = 0;

	for (__u32 i = 0; i < KC_FRAMES && i < depth; i++) {
		if (slot->frames[i].target == target)
			latest = i + 1;
	}
	return latest;
}

/* The slot that a task has, with its set and way; none where no span of it is open. */
static __always_inline struct kc_slot *slot_of(__u32 tag, struct kc_set **set, __u32 *way)
{
	*set = set_of(tag);
	if (!*set)
		return 0;
	*way = way_of(*set, tag);
	return *way < KC_WAYS ? slot_at(*set, *way) : 0;
}

/* Is a span of the target open on this task? */
static __always_inline int is_within(__u32 tag, __u32 target)
{
	struct kc_set *set;
	__u32 way;
	struct kc_slot *slot = slot_of(tag, &set, &way);

	return slot && latest_open(slot, slot->depth, target) != 0;
}

static __always_inline void discard(__u32 target)
{
	__u64 *count = bpf_map_lookup_elem(&kc_discarded, &target);

	if (count)
		__sync_fetch_and_add(count, 1);
}

/*
 * Frames whose exit was never seen: they lie deeper than a call that begins or ends now. Only frames
 * on the same stack can be told; an interrupt's stack is another one.
 */
static __always_inline __u32 drop_deeper(struct kc_slot *slot, __u32 depth, __u32 position)
{
	__u32 window = SETTING(flags) & KC_FLAG_USER_STACK ? 20 : 14;

	for (int i = 0; i < KC_FRAMES; i++) {
		__u32 top = depth - 1;
		struct kc_frame *frame;

		if (top >= KC_FRAMES)
			break;
		frame = frame_at(slot, top);
		if (frame->position >= position || frame->position >> window != position >> window)
			break;
		discard(frame->target);
		depth = top;
	}
	return depth;
}

static __always_inline int is_this_call(const struct kc_frame *frame, __u32 position)
{
	return frame->target == SETTING(target) && frame->position == position;
}

/* At a call's entry: what is deeper, and an earlier call at this very place. */
static __always_inline __u32 drop_stale(struct kc_slot *slot, __u32 depth, __u32 position)
{
	depth = drop_deeper(slot, depth, position);
	if (depth && is_this_call(frame_at(slot, depth - 1), position)) {
		discard(SETTING(target));
		depth--;
	}
	return depth;
}

/*
 * The frame of this call, or KC_FRAMES. Above it may lie those of other targets that hook the same
 * call: their exits come in any order.
 */
static __always_inline __u32 find_frame(struct kc_slot *slot, __u32 top, __u32 position)
{
	for (int i = 0; i < KC_SIBLINGS; i++) {
		__u32 at = top - i;

		if (at >= KC_FRAMES || frame_at(slot, at)->position != position)
			break;
		if (frame_at(slot, at)->target == SETTING(target))
			return at;
	}
	return KC_FRAMES;
}

/* Takes a frame off; one that another target's frame lies on is marked, and goes with that. */
static __always_inline __u32 close_frame(struct kc_slot *slot, __u32 at, __u32 top,
					  __u32 *claimed)
{
	if (at != top) {
		frame_at(slot, at)->target = KC_NO_TARGET;
		return top + 1;
	}
	for (int i = 1; i < KC_SIBLINGS; i++) {
		if (!at || frame_at(slot, at - 1)->target != KC_NO_TARGET)
			break;
		at--;
		*claimed |= frame_at(slot, at)->claimed;
	}
	return at;
}

/*
 * The call's time is not its caller's own. Where several targets hook one call, only the frame that
 * lies right above the caller's adds it, so that it is not taken off twice.
 */
static __always_inline void add_to_caller(struct kc_slot *slot, __u32 at, __u32 position, __u64 ns)
{
	struct kc_frame *caller = frame_at(slot, at - 1);

	if (caller->position != position)
		caller->inner_ns += ns;
}

#endif
