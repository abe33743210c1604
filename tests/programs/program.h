/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What every test program needs: its usage, numbers from argv, the clock, an end with a reason. */
#ifndef KCOST_TEST_PROGRAM_H
#define KCOST_TEST_PROGRAM_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SKIPPED 77 /* this machine cannot do it */

/* A function that tests probe: it stays one, with its name and all of its calls. */
#define PROBED __attribute__((noinline, used))

static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, "cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Ends with the usage unless there are least…most arguments and none asks for help. */
static inline void usage(int argc, char **argv, const int limits[2], const char *text)
{
	int help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));

	if (!help && argc - 1 >= limits[0] && argc - 1 <= limits[1])
		return;
	fprintf(help ? stdout : stderr, "usage: %s", text);
	exit(help ? 0 : 2);
}

static inline long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < 0) {
		fprintf(stderr, "not a number: %s\n", text);
		exit(2);
	}
	return value;
}

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static inline void spin_until(uint64_t ns)
{
	while (now_ns() < ns)
		;
}

#endif
