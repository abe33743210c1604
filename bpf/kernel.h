/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few kernel types that kcost's programs read, by hand; CO-RE finds the fields' real places.
 * Register layouts are the kernel's ABI with user space and do not move.
 */
#ifndef KCOST_KERNEL_H
#define KCOST_KERNEL_H

struct task_struct {
	int pid;
	int tgid;
} __attribute__((preserve_access_index));

#if defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
};
#elif defined(__TARGET_ARCH_x86)
struct pt_regs {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	__u64 orig_ax, ip, cs, flags, sp, ss;
};
#else
#error "kcost knows the registers of arm64 and x86 only"
#endif

#endif
