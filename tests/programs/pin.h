/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Stays on one CPU. To be included by files that define _GNU_SOURCE first. */
#ifndef KCOST_TEST_PIN_H
#define KCOST_TEST_PIN_H

#include <sched.h>

#include "program.h"

static inline void pin_to_cpu(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		die("pin to one CPU");
}

/* The last one that we may use: interrupts and the profiler itself tend to sit on the first. */
static inline int pin_to_one_cpu(void)
{
	cpu_set_t allowed;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		die("read the allowed CPUs");
	while (!CPU_ISSET(cpu, &allowed))
		cpu--;
	pin_to_cpu(cpu);
	return cpu;
}

/* Onto the nth of these CPUs, counted round them. */
static inline void pin_to_nth_cpu(const cpu_set_t *cpus, int nth)
{
	int left = nth % CPU_COUNT(cpus), cpu = 0;

	while (!CPU_ISSET(cpu, cpus) || left--)
		cpu++;
	pin_to_cpu(cpu);
}

#endif
