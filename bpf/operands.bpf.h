/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments and results, and the conditions on them. */
#ifndef KCOST_OPERANDS_BPF_H
#define KCOST_OPERANDS_BPF_H

#include "maps.bpf.h"
#include "registers.bpf.h"

enum context { TRAMPOLINE, REGISTERS };

static __always_inline __u64 operand_value(void *ctx, enum context context, __u64 operand)
{
	__u64 value = 0;

	if (context == REGISTERS)
		return operand == KC_OPERAND_RETURN ? register_result((struct pt_regs *)ctx)
						    : register_argument(ctx, operand);
	if (operand != KC_OPERAND_RETURN)
		bpf_get_func_arg(ctx, operand, &value);
	return value;
}

static __always_inline int compare(__u64 op, __u64 value, __u64 with)
{
	switch (op) {
	case KC_OP_EQ: return value == with;
	case KC_OP_NE: return value != with;
	case KC_OP_LT: return value < with;
	case KC_OP_LE: return value <= with;
	case KC_OP_GT: return value > with;
	case KC_OP_GE: return value >= with;
	}
	return 1;
}

static __always_inline int passes_result(void *ctx, enum context context)
{
	__u64 value = 0;

	if (SETTING(exit_when.op) == KC_OP_NONE)
		return 1;
	if (context == REGISTERS)
		value = register_result((struct pt_regs *)ctx);
	else
		bpf_get_func_ret(ctx, &value);
	return compare(SETTING(exit_when.op), value, SETTING64(exit_when.value));
}

#endif
