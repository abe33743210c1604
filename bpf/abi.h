/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Records shared by the BPF programs and C++. Written once; every struct has a size assertion.
 * Times are nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef KCOST_ABI_H
#define KCOST_ABI_H

#ifndef __bpf__
#include <linux/types.h>
#endif

#ifdef __cplusplus
#define KC_ASSERT_SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#else
#define KC_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#endif

/*
 * Durations fall into log-linear bins: one bin a nanosecond below 8 ns, then 8 bins an octave up
 * to 2^35 ns (34 s), then one bin for the rest. The bin is found by one look-up of the top byte
 * and the 3 bits below it, not by a chain of comparisons: 24 against 41 instructions.
 */
#define KC_BINS_PER_OCTAVE 8
#define KC_BIN_MAX_BIT 35
#define KC_BINS ((KC_BIN_MAX_BIT - 2) * KC_BINS_PER_OCTAVE + 1)
#define KC_BIN_LOOKUP 2048

/* A task's open spans: a stack of frames in a set-associative table that is indexed by pid. */
#define KC_FRAMES 8 /* a power of two, as is KC_WAYS: an index is bounded by a mask */
#define KC_WAYS 4
#define KC_SPLITS 16 /* the last one is "other" */
#define KC_COMM 16
#define KC_STACK_FRAMES 64

/* Why an entry did not become a span. Each is counted, none is silent. */
enum kc_lost {
	KC_LOST_TABLE_FULL, /* no free slot for the task in its set */
	KC_LOST_DEPTH, /* more than KC_FRAMES spans of kcost open on one task */
	KC_LOST_CLOCK, /* the clock went backwards */
	KC_LOST_GAP, /* open while counting was stopped */
	KC_LOST_NO_ENTRY, /* an exit whose entry was not seen; not part of the balance */
	KC_LOST_REPLAY, /* an instruction that trapped again after an interrupt; no hit is lost */
	KC_LOST_STACK, /* a hit chosen for its callers whose stack could not be kept */
	KC_LOST_PAYER, /* a hit chosen for its callers that found the table of payers full */
	KC_LOST_REASONS
};

/* One target's figures on one CPU (and for one value of its split). Only that CPU writes it. */
struct kc_cell {
	__u64 entries; /* entries that passed the filters */
	__u64 spans; /* exits that found their entry and passed the filters; the sum of bins */
	__u64 rejected; /* exits that found their entry and failed the filter on the result */
	__u64 total_ns; /* time with at least one call open, by task: recursion is not added twice */
	__u64 self_ns; /* total less the time in other targets of kcost called from there */
	__u64 max_ns;
	__u64 sampled; /* spans whose payer was recorded, one in N */
	__u64 hits; /* runs of a breakpoint's programs, whatever came of them; else 0 */
	__u64 lost[KC_LOST_REASONS];
	__u64 bins[KC_BINS];
};
KC_ASSERT_SIZE(struct kc_cell, 8 * (8 + KC_LOST_REASONS + KC_BINS));

struct kc_frame {
	__u64 start_ns;
	__u64 inner_ns; /* time spent in frames that were opened above this one */
	__u64 caller; /* return address of a sampled hit; 0: see the stack */
	__u32 position; /* low half of the stack pointer: pairs an exit with its entry */
	__s32 stack_id; /* negative: none */
	__u16 target;
	__u8 split;
	__u8 sampled;
	__u8 outer; /* of a recursion: number from 1 of the frame of the same target around it */
	__u8 claimed; /* this entry claimed the slot, so its exit gives it back */
	__u16 pad;
	__u64 recursion_ns; /* time in calls of the same target that were opened above this one */
};
KC_ASSERT_SIZE(struct kc_frame, 48);
#define KC_SIBLINGS 4 /* targets that may hook one call */

struct kc_slot {
	__u32 depth;
	__u32 pad;
	struct kc_frame frames[KC_FRAMES];
	__u64 pad2[7]; /* to whole cache lines; the first holds depth and the first frame */
};
KC_ASSERT_SIZE(struct kc_slot, 448);

/*
 * Tags stand together so that a look-up touches one cache line: 0 free, else the task's pid, or
 * KC_IDLE_TAG | cpu for the idle tasks, which all have pid 0. A set is found by the low bits of
 * the tag: pids are handed out in sequence, so the sets fill evenly where a hash would not.
 */
#define KC_IDLE_TAG 0x80000000u
struct kc_set {
	__u32 tags[KC_WAYS];
	__u64 pad[6];
	struct kc_slot ways[KC_WAYS];
};
KC_ASSERT_SIZE(struct kc_set, 1856);

/* What a split distinguishes: a direct caller, a value, or both. */
struct kc_split {
	__u64 caller;
	__u64 value;
	__u64 used;
};
KC_ASSERT_SIZE(struct kc_split, 24);

struct kc_payer_key {
	__u32 target;
	__u32 tgid;
	__s32 kernel_stack; /* negative: none */
	__s32 user_stack;
	__u64 caller; /* 0: see the stack */
	char comm[KC_COMM];
};
KC_ASSERT_SIZE(struct kc_payer_key, 40);

struct kc_payer {
	__u64 spans;
	__u64 total_ns;
};
KC_ASSERT_SIZE(struct kc_payer, 16);

/*
 * Written by user space while the programs run. A program that finds the deadline passed returns
 * at once: the dead man's switch, and the quick stop. Jiffies, since the kernel reads them in
 * three instructions where its clock takes seventy.
 */
struct kc_control {
	__u64 deadline_jiffies; /* 0: stopped */
	__u64 resumed_ns; /* frames older than this belong to an earlier run and are dropped */
	__u64 jiffies_now; /* answered by kc_beat */
	__u32 self_tgid; /* answered by kc_beat, in the initial pid namespace */
	__u32 pad;
};
KC_ASSERT_SIZE(struct kc_control, 32);

enum kc_operator { KC_OP_NONE, KC_OP_EQ, KC_OP_NE, KC_OP_LT, KC_OP_LE, KC_OP_GT, KC_OP_GE };

/* Operands of conditions and splits: an argument's number, or one of these. */
#define KC_OPERAND_NONE 255
#define KC_OPERAND_RETURN 254

struct kc_condition {
	__u64 value;
	__u64 operand;
	__u64 op; /* enum kc_operator; comparisons are unsigned */
};
KC_ASSERT_SIZE(struct kc_condition, 24);

#define KC_FLAG_COUNT_ONLY 1 /* no exit program: count entries */
#define KC_FLAG_NO_STACKS 2 /* runs under the run-queue lock: direct caller only */
#define KC_FLAG_USER_STACK 4 /* payers by user stack */
#define KC_FLAG_INCLUDE_SELF 8 /* the floor is measured on kcost itself */
#define KC_FLAG_SPLIT_CALLER 16
#define KC_FLAG_NO_PAYERS 32
#define KC_FLAG_ATOMIC 64 /* the kernel lets these programs preempt each other: user probes */
#define KC_FLAG_REPLAYS 128 /* breakpoints: an instruction may trap more than once a pass */
#define KC_FLAG_FRAME_RECORD 256 /* amid a function: its caller is in the frame record, not in x30 */

/*
 * Constants of one target's programs. They are not read from memory: the programs name a setting by
 * KC_SETTING_MAGIC + its offset, and user space puts its value in that place before it loads them.
 * So a setting costs one instruction where one in .rodata costs six on arm64, and the verifier
 * drops what a target does not need all the same. All are 64 bits wide, which keeps that simple.
 */
struct kc_settings {
	struct kc_condition entry_when;
	struct kc_condition exit_when;
	__u64 function_address; /* to find the direct caller in a trampoline's frame */
	__u64 target;
	__u64 within; /* target that must be open on this task, or KC_NO_TARGET */
	__u64 cpus;
	__u64 splits; /* 1 or KC_SPLITS */
	__u64 set_mask; /* sets in the table less one: a power of two */
	__u64 payer_mask; /* a payer is recorded when entries & mask == 0 */
	__u64 flags;
	__u64 split_operand; /* value split: operand, less the next operand if there is one */
	__u64 split_minus;
};
KC_ASSERT_SIZE(struct kc_settings, 128);
#define KC_SETTING_MAGIC 0x6b630000 /* "kc" */
#define KC_NO_TARGET 0xffffu

/* Hits of the programs of kcost's own workloads. CPUs of a large machine share a place. */
#define KC_BENCH_CPUS 256 /* a power of two */
struct kc_bench_cpu {
	__u64 hits;
	__u64 padding[15]; /* cache lines of its own */
};
KC_ASSERT_SIZE(struct kc_bench_cpu, 128);

#endif
