// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Calls its own functions a known number of times, so that a profiler's figures can be compared
// with what the program measured itself.
#include "program.h"

#define SPIN_NS 100000 // long against what a probe costs, so that totals can be compared
#define INNER_CALLS 3

static volatile unsigned long counted;
static uint64_t outer_total_ns, inner_total_ns, recursive_total_ns;

PROBED void counted_function(void)
{
	counted++;
}

PROBED void inner_function(void)
{
	uint64_t start = now_ns();

	spin_until(start + SPIN_NS);
	inner_total_ns += now_ns() - start;
}

PROBED void outer_function(void)
{
	uint64_t start = now_ns();

	spin_until(start + SPIN_NS);
	for (int i = 0; i < INNER_CALLS; i++)
		inner_function();
	outer_total_ns += now_ns() - start;
}

// The innermost call spins, so that all calls of one chain last about as long as the outermost.
PROBED void recursive_function(long depth)
{
	counted++;
	if (depth > 1)
		recursive_function(depth - 1);
	else
		spin_until(now_ns() + 10 * SPIN_NS);
	counted += 0; // not a tail call
}

static int run_counted(long n)
{
	for (long i = 0; i < n; i++)
		counted_function();
	printf("counted_function=%lu\n", counted);
	return 0;
}

static int run_nested(long n)
{
	for (long i = 0; i < n; i++)
		outer_function();
	printf("outer_function=%ld\ninner_function=%ld\n", n, n * INNER_CALLS);
	printf("outer_total_ns=%llu\ninner_total_ns=%llu\n", (unsigned long long)outer_total_ns,
	       (unsigned long long)inner_total_ns);
	return 0;
}

static int run_recursive(long n, long depth)
{
	for (long i = 0; i < n; i++) {
		uint64_t start = now_ns();

		recursive_function(depth);
		recursive_total_ns += now_ns() - start;
	}
	printf("recursive_function=%lu\nrecursive_total_ns=%llu\n", counted,
	       (unsigned long long)recursive_total_ns);
	return 0;
}

static const char *const text =
	"call-count counted N | nested N | recursive N DEPTH\n"
	"Calls counted_function N times; or outer_function N times, which calls inner_function\n"
	"3 times; or recursive_function N times, DEPTH deep. Prints calls and nanoseconds.\n";

int main(int argc, char **argv)
{
	const char *what;

	usage(argc, argv, (const int[]){2, 3}, text);
	what = argv[1];
	if (argc == 3 && !strcmp(what, "counted"))
		return run_counted(number(argv[2]));
	if (argc == 3 && !strcmp(what, "nested"))
		return run_nested(number(argv[2]));
	if (argc == 4 && !strcmp(what, "recursive"))
		return run_recursive(number(argv[2]), number(argv[3]));
	usage(1, argv, (const int[]){2, 3}, text);
	return 2;
}
