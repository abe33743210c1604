// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Two processes on one CPU pass a byte to and fro over two pipes: two context switches between
// different address spaces for each round trip.
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "pin.h"
#include "program.h"

// Under the fair scheduler a tick that finds both runnable makes two switches more; first come,
// first served, there are none. Not for long: nothing else runs on that CPU meanwhile.
static void first_come_first_served(void)
{
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}))
		die("be served first come, first served");
}

static void receive(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("read from the pipe");
}

static void send_on(int fd)
{
	if (write(fd, "x", 1) != 1)
		die("write to the pipe");
}

static _Noreturn void answer(int in, int out, long n)
{
	for (long i = 0; i < n; i++) {
		receive(in);
		send_on(out);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int there[2], back[2], status, cpu;
	uint64_t start;
	pid_t child;
	long n;

	usage(argc, argv, (const int[]){1, 2},
	      "round-trips N [fifo]\n"
	      "Two processes on one CPU exchange a byte N times: 2N context switches; exactly, with\n"
	      "fifo, which takes root.\n");
	n = number(argv[1]);
	if (pipe(there) || pipe(back))
		die("make the pipes");
	cpu = pin_to_one_cpu();
	if (argc > 2 && !strcmp(argv[2], "fifo"))
		first_come_first_served();
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		answer(there[0], back[1], n);

	start = now_ns();
	for (long i = 0; i < n; i++) {
		send_on(there[1]);
		receive(back[0]);
	}
	printf("round_trips=%ld\ncontext_switches=%ld\ncpu=%d\nelapsed_ns=%llu\n", n, 2 * n, cpu,
	       (unsigned long long)(now_ns() - start));
	if (waitpid(child, &status, 0) != child || status)
		die("get the child's answer");
	return 0;
}
