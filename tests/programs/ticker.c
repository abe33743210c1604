// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// A timer interrupt HZ times a second on one CPU, until it is told to end. It goes before all
// other work there, and prints the rate that it really reached.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>

#include "program.h"

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void stay_first_on(int cpu)
{
	struct sched_param priority = {.sched_priority = 50};
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		die("pin to the CPU");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		die("get a real-time priority");
}

// A tick that is over already makes no interrupt: the next one is a period from now.
static void sleep_until(uint64_t *next_ns, uint64_t period_ns)
{
	uint64_t now = now_ns();
	struct timespec until;

	*next_ns += period_ns;
	if (*next_ns <= now)
		*next_ns = now + period_ns;
	until.tv_sec = (time_t)(*next_ns / 1000000000);
	until.tv_nsec = (long)(*next_ns % 1000000000);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int main(int argc, char **argv)
{
	uint64_t start, next;
	long hz, ticks = 0;

	usage(argc, argv, (const int[]){2, 2},
	      "ticker HZ CPU\n"
	      "Sleeps and wakes HZ times a second on CPU until SIGTERM or SIGINT; prints the rate.\n");
	hz = number(argv[1]);
	if (hz < 1 || hz > 1000000)
		usage(1, argv, (const int[]){2, 2}, "ticker HZ CPU, HZ from 1 to 1000000\n");
	signal(SIGTERM, end);
	signal(SIGINT, end);
	stay_first_on((int)number(argv[2]));
	start = next = now_ns();
	for (; !ended; ticks++)
		sleep_until(&next, 1000000000 / (uint64_t)hz);
	printf("ticks=%ld\nhz=%.0f\n", ticks, (double)ticks * 1e9 / (double)(now_ns() - start));
	return 0;
}
