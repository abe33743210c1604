// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// A closed workload: five functions of the kernel that nobody else calls meanwhile, each called a
// known number of times. They have had the same names from 6.1 on and ftrace lists them all.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

#if defined(__aarch64__)
#define SYSCALL "__arm64_sys_"
#else
#define SYSCALL "__x64_sys_"
#endif

static int zero, event;

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_getpgid(void)
{
	syscall(SYS_getpgid, 0);
}

static void call_getsid(void)
{
	syscall(SYS_getsid, 0);
}

static void call_read_zero(void)
{
	char byte;

	if (read(zero, &byte, 1) != 1)
		die("read /dev/zero");
}

static void call_eventfd_write(void)
{
	uint64_t one = 1;

	if (write(event, &one, sizeof(one)) != sizeof(one))
		die("write to the eventfd");
}

static const struct {
	const char *function;
	void (*call)(void);
	long times;
} calls[] = {
	{SYSCALL "getppid", call_getppid, 1},
	{SYSCALL "getpgid", call_getpgid, 2},
	{SYSCALL "getsid", call_getsid, 3},
	{"read_zero", call_read_zero, 4},
	{"eventfd_write", call_eventfd_write, 5},
};

#define FUNCTIONS (sizeof(calls) / sizeof(calls[0]))

// Has whoever counts beside kcost count exactly this: 1 before, 0 after.
static void tell(const char *file, const char *what)
{
	int fd = file ? open(file, O_WRONLY | O_CLOEXEC) : -1;

	if (file && (fd < 0 || write(fd, what, 1) != 1))
		die("write to the file that was named");
	if (fd >= 0)
		close(fd);
}

static void run(long n, const char *told)
{
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	event = eventfd(0, EFD_CLOEXEC);
	if (zero < 0 || event < 0)
		die("open /dev/zero and an eventfd");
	tell(told, "1");
	for (size_t i = 0; i < FUNCTIONS; i++)
		for (long j = 0; j < n * calls[i].times; j++)
			calls[i].call();
	tell(told, "0");
}

int main(int argc, char **argv)
{
	long n;

	usage(argc, argv, (const int[]){1, 2},
	      "call-kernel N [FILE]\n"
	      "Calls five functions of the kernel N, 2N, 3N, 4N and 5N times and prints which. 0: only\n"
	      "prints their names. Writes 1 to FILE before the calls and 0 after them.\n");
	n = number(argv[1]);
	if (n)
		run(n, argc > 2 ? argv[2] : NULL);
	for (size_t i = 0; i < FUNCTIONS; i++)
		printf("%s=%ld\n", calls[i].function, n * calls[i].times);
	return 0;
}
