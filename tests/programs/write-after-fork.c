// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Threads that write to the same pages all the time, while their process forks. A page is reused,
// copied or found writable by turns, on all CPUs. No write may be lost, each thread must get on,
// and a child must see its pages stand still: a write through an entry that some CPU's TLB kept
// would show in it.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define THREADS 4
#define HUGE (2L << 20)

// Each page begins with one counter for each thread.
static volatile uint64_t *pages;
static long size, page;
static atomic_int stop;
static _Atomic long rounds[THREADS];

static volatile uint64_t *counter(long at, long thread)
{
	return pages + at / (long)sizeof(*pages) + thread;
}

static void *writes(void *number)
{
	long thread = (long)number;

	while (!stop) {
		for (long at = 0; at < size; at += page) {
			if (*counter(at, thread) != (uint64_t)rounds[thread]) {
				fprintf(stderr, "page %ld lost a write of thread %ld\n", at / page, thread);
				_exit(1);
			}
			++*counter(at, thread);
		}
		rounds[thread]++;
	}
	return NULL;
}

static uint64_t sum(void)
{
	uint64_t sum = 0;

	for (long at = 0; at < size; at += page)
		for (long thread = 0; thread < THREADS; thread++)
			sum += *counter(at, thread);
	return sum;
}

static void fork_and_look(void)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		die("fork");
	if (!child) {
		uint64_t before = sum();

		for (int i = 0; i < 3; i++) {
			sched_yield();
			if (sum() != before)
				_exit(1);
		}
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		die("wait for the child");
	if (status) {
		fprintf(stderr, "a child saw its parent's writes\n");
		_exit(1);
	}
}

// A round of each thread has begun and ended.
static void let_all_write(void)
{
	for (long thread = 0; thread < THREADS; thread++)
		for (long before = rounds[thread]; rounds[thread] < before + 2;)
			sched_yield();
}

int main(int argc, char **argv)
{
	pthread_t all[THREADS];
	long forks, total = 0;
	char *room;

	usage(argc, argv, (const int[]){2, 3},
	      "write-after-fork PAGES FORKS [huge]\n"
	      "Four threads write to PAGES pages, or as much in huge ones, through FORKS forks.\n");
	page = sysconf(_SC_PAGESIZE);
	size = number(argv[1]) * page;
	forks = number(argv[2]);
	room = mmap(NULL, (size_t)(size + HUGE), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		die("map the pages");
	room += HUGE - (long)((uintptr_t)room % HUGE);
	if (madvise(room, (size_t)size, argc > 3 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) && errno != EINVAL)
		die("choose the size of pages");
	pages = (volatile uint64_t *)room;

	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&all[i], NULL, writes, (void *)i))
			die("start a thread");
	for (long i = 0; i < forks; i++) {
		fork_and_look();
		let_all_write();
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(all[i], NULL);
		total += rounds[i];
	}
	if (sum() != (uint64_t)(total * (size / page))) {
		fprintf(stderr, "the pages count %llu writes\n", (unsigned long long)sum());
		return 1;
	}
	printf("forks=%ld\nwrites=%ld\n", forks, total * (size / page));
	return 0;
}
