// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// What the kernel keeps for uretprobes whose functions have not returned yet, taken through all
// that happens to a stack: nesting, its limit of 64, fork and vfork inside, longjmp out of it, tail
// calls, threads. Each step must count its exact number of hits and return to where it came from.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>

#include "pin.h"
#include "uprobe_event.h"

#define LIMIT 64
#define THREADS 4
#define ROUNDS 100
#define CPUS 512

#if defined(__aarch64__)
#define JUMP "b"
#else
#define JUMP "jmp"
#endif
__asm__(".pushsection .text\n.balign 16\n"
	".globl jump_on\n.type jump_on, %function\n"
	"jump_on: " JUMP " jumped_to\n"
	".size jump_on, . - jump_on\n"
	".globl jumped_to\n.type jumped_to, %function\n"
	"jumped_to: ret\n"
	".size jumped_to, . - jumped_to\n"
	".popsection\n");
void jump_on(void);
void jumped_to(void);

static jmp_buf way_out;
static pid_t child;

static void nothing(void) {}
static void fork_here(void)
{
	child = fork();
	if (child < 0)
		die("fork");
}
static void vfork_here(void)
{
	child = vfork();
	if (!child)
		_exit(0);
	if (child < 0)
		die("vfork");
}
static void jump_out(void) { longjmp(way_out, 1); }

// So many calls, and at the bottom `act`.
PROBED long descend(long calls, void (*act)(void))
{
	long below = 0;

	if (calls > 1)
		below = descend(calls - 1, act);
	else
		act();
	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

// A uretprobe's events, one for each CPU: children are counted as well. Each is a probe of its own to
// the kernel, and a hit asks one after the other: a task that migrates in between is counted twice or
// not at all, so all here stay where they are.
struct probe {
	int events[CPUS];
};
static struct probe on_descend;
static cpu_set_t cpus;

static void put(struct probe *probe, unsigned long address)
{
	long possible = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < CPUS; cpu++)
		probe->events[cpu] = cpu < possible ? uprobe_event(file_offset(address), 1, cpu) : -1;
}

static long hits_of(const struct probe *probe)
{
	uint64_t hits, sum = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		if (probe->events[cpu] < 0)
			continue;
		if (read(probe->events[cpu], &hits, sizeof(hits)) != sizeof(hits))
			die("read a uprobe event");
		sum += hits;
	}
	return (long)sum;
}

static void same(const char *what, long value, long wanted)
{
	if (value == wanted)
		return;
	fprintf(stderr, "%s: %ld, not %ld\n", what, value, wanted);
	_exit(1);
}

static void step(const char *what, long calls, void (*act)(void), long wanted)
{
	long before = hits_of(&on_descend);
	int status = 0;

	child = -1;
	same(what, descend(calls, act), calls);
	if (!child)
		_exit(0);
	if (child > 0 && waitpid(child, &status, 0) != child)
		die("wait for the child");
	same("the child's status", status, 0);
	same(what, hits_of(&on_descend) - before, wanted);
}

// All of it lies deeper in the stack than the next call: what lies higher counts as not returned.
static void jumps_out(long calls)
{
	volatile char deeper[4096];

	deeper[0] = 0;
	if (!setjmp(way_out))
		descend(calls + deeper[0], jump_out);
}

static void *descends(void *nth)
{
	pin_to_nth_cpu(&cpus, (int)(long)nth);
	for (int i = 0; i < ROUNDS; i++)
		same("calls in a thread", descend(20, nothing), 20);
	return NULL;
}

static void threads(void)
{
	long before = hits_of(&on_descend);
	pthread_t all[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&all[i], NULL, descends, (void *)(long)i))
			die("start a thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
	same("hits in threads", hits_of(&on_descend) - before, THREADS * ROUNDS * 20L);
}

static void tail_calls(void)
{
	static struct probe first, second;

	put(&first, (unsigned long)jump_on);
	put(&second, (unsigned long)jumped_to);
	for (int i = 0; i < ROUNDS; i++)
		jump_on();
	same("hits of who jumped on", hits_of(&first), ROUNDS);
	same("hits of who was jumped to", hits_of(&second), ROUNDS);
}

int main(int argc, char **argv)
{
	usage(argc, argv, (const int[]){0, 0}, "return-stack\n");
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		die("read the allowed CPUs");
	pin_to_one_cpu();
	put(&on_descend, (unsigned long)descend);
	if (on_descend.events[0] < 0) {
		fprintf(stderr, "return-stack: this kernel has no uprobe PMU\n");
		return SKIPPED;
	}
	step("nested", 10, nothing, 10);
	step("at the limit", LIMIT, nothing, LIMIT);
	step("over the limit", 3 * LIMIT, nothing, LIMIT);
	for (int i = 0; i < ROUNDS; i++) {
		step("with a fork inside", 30, fork_here, 60);
		step("with a fork at the limit", 2 * LIMIT, fork_here, 2 * LIMIT);
		step("with a vfork inside", 30, vfork_here, 30);
		jumps_out(50);
		step("after a longjmp", LIMIT, nothing, LIMIT);
	}
	threads();
	tail_calls();
	step("in the end", 10, nothing, 10);
	printf("hits=%ld\n", hits_of(&on_descend));
	return 0;
}
