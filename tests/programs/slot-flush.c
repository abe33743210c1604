// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Hits a uprobe that it puts on a function of its own, without any BPF. What the kernel does on
// a hit depends on the first instruction: it is copied to a slot in user memory, and the I-cache
// flushed, where the kernel cannot simulate it. Since 6.13 it is not where the slot has it already:
// two functions in turn that begin differently make a flush on each hit there too.
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "uprobe_event.h"

#if !defined(__aarch64__)
int main(int argc, char **argv)
{
	usage(argc, argv, (const int[]){0, 9}, "slot-flush N push|nop|ret|alternate [return]\n");
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
	".globl first_mov\n.type first_mov, %function\n"
	"first_mov: mov x0, #0\n ret\n"
	".size first_mov, . - first_mov\n"
	".popsection\n");
void first_push(void);
void first_nop(void);
void first_ret(void);
void first_mov(void);

// Called in turn.
struct form {
	const char *name;
	void (*calls[2])(void);
};
static const struct form forms[] = {
	{"push", {first_push, first_push}},
	{"nop", {first_nop, first_nop}},
	{"ret", {first_ret, first_ret}},
	{"alternate", {first_push, first_mov}},
};

static const char *const tracefs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

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

static void probe_by_tracefs(unsigned long offset, int on_return, int nth)
{
	char text[4200], enable[64];

	snprintf(text, sizeof(text), "%c:kcost_test/slot%d %s:0x%lx\n", on_return ? 'r' : 'p', nth,
		 own_file(), offset);
	snprintf(enable, sizeof(enable), "events/kcost_test/slot%d/enable", nth);
	if (!write_tracefs("uprobe_events", text) || !write_tracefs(enable, "1"))
		die("put a uprobe through tracefs");
}

static void remove_from_tracefs(int nth)
{
	char text[64];

	snprintf(text, sizeof(text), "events/kcost_test/slot%d/enable", nth);
	write_tracefs(text, "0");
	snprintf(text, sizeof(text), "-:kcost_test/slot%d\n", nth);
	write_tracefs("uprobe_events", text);
}

static int probe(const struct form *form, int nth, int on_return)
{
	unsigned long offset = file_offset((unsigned long)form->calls[nth]);
	int event = uprobe_event(offset, on_return, -1);

	if (event < 0)
		probe_by_tracefs(offset, on_return, nth);
	return event;
}

static const struct form *form_named(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(name, forms[i].name))
			return &forms[i];
	return NULL;
}

// What the kernel itself counted.
static void print_hits(const int *events, int probes)
{
	uint64_t hits, sum = 0;

	for (int i = 0; i < probes; i++)
		if (events[i] >= 0 && read(events[i], &hits, sizeof(hits)) == sizeof(hits))
			sum += hits;
	if (events[0] >= 0)
		printf("hits=%llu\n", (unsigned long long)sum);
}

int main(int argc, char **argv)
{
	const struct form *form;
	int events[2], probes, on_return;
	uint32_t word;
	long n;

	usage(argc, argv, (const int[]){2, 3},
	      "slot-flush N push|nop|ret|alternate [return]\n"
	      "Hits a uprobe (or a uretprobe) of its own N times, on a function that begins so, or\n"
	      "two in turn that begin differently.\n");
	n = number(argv[1]);
	form = form_named(argv[2]);
	on_return = argc > 3 && !strcmp(argv[3], "return");
	if (!form || (argc > 3 && !on_return))
		usage(1, argv, (const int[]){2, 3},
		      "slot-flush N push|nop|ret|alternate [return]\n");

	memcpy(&word, (void *)form->calls[0], sizeof(word));
	probes = form->calls[0] == form->calls[1] ? 1 : 2;
	for (int i = 0; i < probes; i++)
		events[i] = probe(form, i, on_return);
	for (long i = 0; i < n; i++)
		form->calls[i % 2]();
	printf("calls=%ld\nfirst_word=0x%08x\nprobe=%s\n", n, word,
	       events[0] < 0 ? "tracefs" : "perf");
	print_hits(events, probes);
	for (int i = 0; i < probes; i++)
		if (events[i] < 0)
			remove_from_tracefs(i);
	return 0;
}
#endif
