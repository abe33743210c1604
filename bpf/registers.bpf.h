/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments, result, stack pointer and caller of a probed function, from registers. */
#ifndef KCOST_REGISTERS_BPF_H
#define KCOST_REGISTERS_BPF_H

/*
 * A load at a constant offset each, out of the compiler's reach: it would make one load at a computed
 * offset of them, which the verifier refuses on registers.
 */
#define LOAD_REGISTER(number, field)                                              \
	case number:                                                              \
		asm volatile("%0 = *(u64 *)(%1 + %2)"                             \
			     : "=r"(value)                                        \
			     : "r"(regs), "i"(__builtin_offsetof(struct pt_regs, field))); \
		break

static __always_inline __u64 register_argument(const struct pt_regs *regs, __u32 number)
{
	__u64 value = 0;

	switch (number) {
#if defined(__TARGET_ARCH_arm64)
	LOAD_REGISTER(0, regs[0]);
	LOAD_REGISTER(1, regs[1]);
	LOAD_REGISTER(2, regs[2]);
	LOAD_REGISTER(3, regs[3]);
	LOAD_REGISTER(4, regs[4]);
	LOAD_REGISTER(5, regs[5]);
	LOAD_REGISTER(6, regs[6]);
	LOAD_REGISTER(7, regs[7]);
#else
	LOAD_REGISTER(0, di);
	LOAD_REGISTER(1, si);
	LOAD_REGISTER(2, dx);
	LOAD_REGISTER(3, cx);
	LOAD_REGISTER(4, r8);
	LOAD_REGISTER(5, r9);
#endif
	}
	return value;
}

#if defined(__TARGET_ARCH_arm64)
#define register_result(r) ((r)->regs[0])
/* The stack pointer is the same at a function's entry and after its return. */
#define entry_position(r) ((__u32)(r)->sp)
#define exit_position(r) ((__u32)(r)->sp)
#else
#define register_result(r) ((r)->ax)
/* A return takes the return address off the stack. */
#define entry_position(r) ((__u32)(r)->sp)
#define exit_position(r) ((__u32)(r)->sp - 8)
#endif

#endif
