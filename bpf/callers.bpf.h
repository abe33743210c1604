/* SPDX-License-Identifier: GPL-2.0-only */
/* Who called: by link register, trampoline frame or stack; splits by it, and the table of payers. */
#ifndef KCOST_CALLERS_BPF_H
#define KCOST_CALLERS_BPF_H

#include "maps.bpf.h"
#include "operands.bpf.h"

/* Where a trampoline's frame holds the return address of the traced function, in words. */
__u32 caller_word = 0;

/*
 * The traced function's return address, without walking the stack. A trampoline of arm64 pushes
 * two frame records, the traced function's own address and its caller's; the first is known, so
 * the second is found beside it, wherever this kernel puts them.
 */
#define CALLER_WORDS 24
static __always_inline __u64 trampoline_caller(void *ctx)
{
	__u64 words[CALLER_WORDS];
	__u64 self = SETTING64(function_address);
	__u32 at = caller_word;

	if (!self)
		return 0;
	if (at) {
		if (bpf_probe_read_kernel(words, 3 * sizeof(words[0]), ctx + (at - 2) * 8))
			return 0;
		return words[0] - self <= 16 ? words[2] : 0;
	}
	if (bpf_probe_read_kernel(words, sizeof(words), ctx))
		return 0;
	for (int i = 0; i + 2 < CALLER_WORDS; i++) {
		if (words[i] - self <= 16 && words[i] != self) {
			caller_word = i + 2;
			return words[i + 2];
		}
	}
	return 0;
}

static __always_inline __u64 caller_of(void *ctx, enum context context)
{
	__u64 address = 0;

	if (context == TRAMPOLINE)
		return trampoline_caller(ctx);
#if defined(__TARGET_ARCH_arm64)
	if (SETTING(flags) & KC_FLAG_FRAME_RECORD) {
		bpf_probe_read_kernel(&address, sizeof(address),
				      (void *)((struct pt_regs *)ctx)->regs[29] + 8);
	} else {
		address = ((struct pt_regs *)ctx)->regs[30];
	}
	/* Amid a function it may be signed. The kernel's text lies in the upper 2^47 bytes always. */
	if (!(SETTING(flags) & KC_FLAG_USER_STACK))
		address |= 0xffff000000000000;
#else
	if (SETTING(flags) & KC_FLAG_USER_STACK)
		bpf_probe_read_user(&address, sizeof(address), (void *)((struct pt_regs *)ctx)->sp);
	else
		bpf_probe_read_kernel(&address, sizeof(address),
				      (void *)((struct pt_regs *)ctx)->sp);
#endif
	return address;
}

/* The row of a caller and a value, taken by the first hit that brings them; the last is "other". */
static __always_inline __u32 split_of(__u64 caller, __u64 value)
{
	for (__u32 i = 0; i < KC_SPLITS - 1; i++) {
		__u32 index = i;
		struct kc_split *split = bpf_map_lookup_elem(&kc_splits, &index);

		if (!split)
			break;
		/* 0 free, 1 being written, 2 ready: nobody may read half a key. */
		if (split->used == 0 && !__sync_val_compare_and_swap(&split->used, 0, 1)) {
			split->caller = caller;
			split->value = value;
			__sync_val_compare_and_swap(&split->used, 1, 2);
			return i;
		}
		if (split->used == 2 && split->caller == caller && split->value == value)
			return i;
	}
	return KC_SPLITS - 1;
}

static __always_inline __u32 entry_split(void *ctx, enum context context)
{
	__u64 caller = 0, value = 0;

	if (SETTING(flags) & KC_FLAG_SPLIT_CALLER)
		caller = caller_of(ctx, context);
	if (SETTING(split_operand) < KC_OPERAND_RETURN) {
		value = operand_value(ctx, context, SETTING(split_operand));
		if (SETTING(split_minus) < KC_OPERAND_RETURN)
			value -= operand_value(ctx, context, SETTING(split_minus));
	}
	return split_of(caller, value);
}

static __always_inline void record_payer(struct kc_cell *cell, const struct task_struct *task,
					 const struct kc_frame *frame, __u64 ns)
{
	struct kc_payer_key key = {};
	struct kc_payer first = { .spans = 1, .total_ns = ns };
	struct kc_payer *payer;

	key.target = SETTING(target);
	key.tgid = task->tgid;
	key.kernel_stack = SETTING(flags) & KC_FLAG_USER_STACK ? -1 : frame->stack_id;
	key.user_stack = SETTING(flags) & KC_FLAG_USER_STACK ? frame->stack_id : -1;
	key.caller = frame->caller;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	ADD(cell->sampled, 1);
	payer = bpf_map_lookup_elem(&kc_payers, &key);
	if (!payer) {
		if (!bpf_map_update_elem(&kc_payers, &key, &first, BPF_NOEXIST))
			return;
		payer = bpf_map_lookup_elem(&kc_payers, &key); /* another CPU was first */
	}
	if (payer) {
		__sync_fetch_and_add(&payer->spans, 1);
		__sync_fetch_and_add(&payer->total_ns, ns);
	} else {
		ADD(cell->lost[KC_LOST_PAYER], 1);
	}
}

/* Under the run-queue lock no stack is walked: the direct caller must do. */
static __always_inline void sample_caller(void *ctx, enum context context, struct kc_cell *cell,
					  struct kc_frame *frame)
{
	frame->sampled = 1;
	if ((context == REGISTERS && !(SETTING(flags) & KC_FLAG_FRAME_RECORD)) ||
	    SETTING(flags) & KC_FLAG_NO_STACKS)
		frame->caller = caller_of(ctx, context);
	if (SETTING(flags) & KC_FLAG_NO_STACKS)
		return;
	frame->stack_id = bpf_get_stackid(ctx, &kc_stacks,
					  SETTING(flags) & KC_FLAG_USER_STACK ? BPF_F_USER_STACK : 0);
	if (frame->stack_id < 0)
		ADD(cell->lost[KC_LOST_STACK], 1);
}

#endif
