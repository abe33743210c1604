/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* A uprobe or uretprobe of ours on a function of ours, as a counting perf event; no BPF. */
#ifndef KCOST_TEST_UPROBE_EVENT_H
#define KCOST_TEST_UPROBE_EVENT_H

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

/* The program's own file. */
static inline const char *own_file(void)
{
	static char path[4096];

	if (!*path && readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		die("find the program's own file");
	return path;
}

/* Where the function is in the program's file. */
static inline unsigned long file_offset(unsigned long address)
{
	unsigned long start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    address >= start && address < end) {
			fclose(maps);
			return address - start + offset;
		}
	}
	die("find the function in /proc/self/maps");
}

/* Counts this thread's hits, or those of all processes on `cpu` if it is not -1. Gives -1 where the
 * kernel has no uprobe PMU, and for a CPU that is offline. */
static inline int uprobe_event(unsigned long offset, int on_return, int cpu)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .config = (unsigned)on_return};
	FILE *type = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	int fd, got;

	if (!type)
		return -1;
	got = fscanf(type, "%u", &attr.type);
	fclose(type);
	if (got != 1)
		die("read the type of the uprobe PMU");
	attr.config1 = (unsigned long)own_file();
	attr.config2 = offset;
	fd = (int)syscall(SYS_perf_event_open, &attr, cpu < 0 ? 0 : -1, cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (cpu < 0 || errno != ENODEV))
		die("open a uprobe event");
	return fd;
}

#endif
