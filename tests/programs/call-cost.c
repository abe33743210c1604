// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// What one cheap system call costs, ns: under `tests/lab/run --icount` that is instructions. Run with and without
// kcost attached to __arm64_sys_getppid, the difference is what a hit costs. The least of 25 batches of 1,000 calls is
// a batch that no timer tick fell into.
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

enum { kBatches = 25, kCalls = 1000 };

static void call(void)
{
#if defined(__aarch64__)
	// Two instructions around the call, so that the C library's wrapper is not measured too.
	register long number asm("x8") = SYS_getppid;
	register long result asm("x0");
	register long left asm("x19") = kCalls;

	asm volatile("1: svc #0\n subs %0, %0, #1\n b.ne 1b" : "+r"(left), "=r"(result) : "r"(number) : "cc", "memory");
#else
	for (int i = 0; i < kCalls; i++)
		syscall(SYS_getppid);
#endif
}

int main(int argc, char **argv)
{
	const int limits[2] = {0, 0};
	struct sched_param priority = {.sched_priority = 50};
	uint64_t least = UINT64_MAX;

	usage(argc, argv, limits, "call-cost\n");
	sched_setscheduler(0, SCHED_FIFO, &priority);
	call();
	for (int i = 0; i < kBatches; i++) {
		uint64_t took = now_ns();

		call();
		took = now_ns() - took;
		if (took < least)
			least = took;
	}
	printf("ns_per_call=%.2f\n", (double)least / kCalls);
	return 0;
}
