// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Hits a uprobe that it puts on a function of its own, without any BPF. What the kernel does on
// a hit depends on the first instruction: it is copied to a slot in user memory, and the I-cache
// flushed, where the kernel cannot simulate it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

#if !defined(__aarch64__)
int main(int argc, char **argv)
{
	usage(argc, argv, (const int[]){0, 9}, "slot-flush N push|nop|ret [return]\n");
	fprintf(stderr, "slot-flush: only on arm64\n");
	return SKIPPED;
}
#else

// Written out, so that neither the optimiser nor -mbranch-protection chooses the first word.
__asm__(".pushsection .text\n.balign 16\n"
	".globl first_push\n.type first_push, %function\n"
	"first_push: stp x29, x30, [sp, #-16]!\n ldp x29, x30, [sp], #16\n ret\n"
	".size first_push, . - first_push\n"
	".globl first_nop\n.type first_nop, %function\n"
	"first_nop: nop\n ret\n"
	".size first_nop, . - first_nop\n"
	".globl first_ret\n.type first_ret, %function\n"
	"first_ret: ret\n"
	".size first_ret, . - first_ret\n"
	".popsection\n");
void first_push(void);
void first_nop(void);
void first_ret(void);

static const struct {
	const char *name;
	void (*call)(void);
} functions[] = {{"push", first_push}, {"nop", first_nop}, {"ret", first_ret}};

static const char pmu[] = "/sys/bus/event_source/devices/uprobe/type";
static const char *const tracefs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
static char program[4096];

// Where the function is in the program's file.
static unsigned long file_offset(void (*function)(void))
{
	unsigned long address = (unsigned long)function, start, end, offset;
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

// An event on ourselves; -1 where the kernel has no uprobe PMU.
static int probe_by_perf(unsigned long offset, int on_return)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .config = (unsigned)on_return};
	FILE *type = fopen(pmu, "r");
	int fd, got;

	if (!type)
		return -1;
	got = fscanf(type, "%u", &attr.type);
	fclose(type);
	if (got != 1)
		die("read the type of the uprobe PMU");
	attr.config1 = (unsigned long)program;
	attr.config2 = offset;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die("open a uprobe event");
	return fd;
}

static int write_tracefs(const char *file, const char *text)
{
	char path[128];
	int fd = -1, ok;

	for (int i = 0; fd < 0 && i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", tracefs[i], file);
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	}
	ok = fd >= 0 && write(fd, text, strlen(text)) > 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

static void probe_by_tracefs(unsigned long offset, int on_return)
{
	char text[4200];

	snprintf(text, sizeof(text), "%c:kcost_test/slot %s:0x%lx\n", on_return ? 'r' : 'p', program,
		 offset);
	if (!write_tracefs("uprobe_events", text) ||
	    !write_tracefs("events/kcost_test/slot/enable", "1"))
		die("put a uprobe through tracefs");
}

static void remove_from_tracefs(void)
{
	write_tracefs("events/kcost_test/slot/enable", "0");
	write_tracefs("uprobe_events", "-:kcost_test/slot\n");
}

int main(int argc, char **argv)
{
	void (*call)(void) = NULL;
	unsigned long offset;
	int event, on_return;
	uint32_t word;
	uint64_t hits;
	long n;

	usage(argc, argv, (const int[]){2, 3},
	      "slot-flush N push|nop|ret [return]\n"
	      "Hits a uprobe (or a uretprobe) of its own N times, on a function that begins so.\n");
	n = number(argv[1]);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(argv[2], functions[i].name))
			call = functions[i].call;
	on_return = argc > 3 && !strcmp(argv[3], "return");
	if (!call || (argc > 3 && !on_return))
		usage(1, argv, (const int[]){2, 3}, "slot-flush N push|nop|ret [return]\n");
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		die("find the program's own file");

	offset = file_offset(call);
	memcpy(&word, (void *)call, sizeof(word));
	event = probe_by_perf(offset, on_return);
	if (event < 0)
		probe_by_tracefs(offset, on_return);
	for (long i = 0; i < n; i++)
		call();
	printf("calls=%ld\nfirst_word=0x%08x\nprobe=%s\n", n, word, event < 0 ? "tracefs" : "perf");
	if (event >= 0 && read(event, &hits, sizeof(hits)) == sizeof(hits))
		printf("hits=%llu\n", (unsigned long long)hits);
	if (event < 0)
		remove_from_tracefs();
	return 0;
}
#endif
