// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// jumps-out N: one call of left_function that ends by longjmp, then N deeper ones that return.
#include <setjmp.h>

#include "program.h"

static jmp_buf back;
static volatile int sink;

PROBED void left_function(int jump)
{
	uint64_t until = now_ns() + 20000;

	if (jump)
		longjmp(back, 1);
	spin_until(until);
	sink++;
}

PROBED void deeper_function(int depth, int jump)
{
	volatile char stack[512];

	stack[0] = (char)depth;
	if (depth)
		deeper_function(depth - 1, jump);
	else
		left_function(jump);
	sink += stack[0];
}

int main(int argc, char **argv)
{
	const int limits[2] = {1, 1};

	usage(argc, argv, limits, "jumps-out N\n");
	if (!setjmp(back))
		left_function(1);
	for (long i = number(argv[1]); i > 0; i--)
		deeper_function(4, 0);
	printf("left_function=%ld\n", number(argv[1]) + 1);
	return 0;
}
