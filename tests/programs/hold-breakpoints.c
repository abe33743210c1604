// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Takes every free hardware breakpoint of every CPU, as a debugger might, and holds them. They
// stay disabled: the kernel keeps a register for them all the same.
#define _GNU_SOURCE
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

#if defined(__aarch64__)
#define LENGTH HW_BREAKPOINT_LEN_4
#else
#define LENGTH sizeof(long)
#endif

// Any function of the kernel's.
static uint64_t kernel_address(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	unsigned long long address = 0, found;
	char line[1024], type;

	while (symbols && !address && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx %c vfs_read\n", &found, &type) == 2 && strstr(line, " vfs_read\n"))
			address = found;
	if (symbols)
		fclose(symbols);
	if (!address)
		die("find vfs_read in /proc/kallsyms");
	return address;
}

static int take_one(uint64_t address, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = address,
		.bp_len = LENGTH,
		.disabled = 1,
		.exclude_user = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static long take_all(uint64_t address, int cpu)
{
	long taken = 0;

	while (take_one(address, cpu) >= 0)
		taken++;
	if (errno != ENOSPC)
		die("take a hardware breakpoint");
	return taken;
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t address;

	usage(argc, argv, (const int[]){0, 0},
	      "hold-breakpoints\n"
	      "Takes all free hardware breakpoints of all CPUs, prints how many, and holds them\n"
	      "until it is killed.\n");
	address = kernel_address();
	for (int cpu = 0; cpu < cpus; cpu++)
		printf("cpu%d=%ld\n", cpu, take_all(address, cpu));
	fflush(stdout);
	pause();
	return 0;
}
