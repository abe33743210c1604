// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Many threads asleep inside one function at once, a known number of times each.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

#define STACK_BYTES (64 * 1024)

static atomic_int inside; // threads that entered, over all rounds
static atomic_int released; // rounds whose sleepers may leave
static int threads, rounds;

static void futex_sleep(atomic_int *word, int while_it_is)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
}

static void futex_wake(atomic_int *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void wait_for(atomic_int *word, int least)
{
	int seen;

	while ((seen = atomic_load(word)) < least)
		futex_sleep(word, seen);
}

PROBED void sleeping_function(int round)
{
	if (atomic_fetch_add(&inside, 1) + 1 == threads * round)
		futex_wake(&inside);
	wait_for(&released, round);
}

static void *sleeper(void *unused)
{
	for (int round = 1; round <= rounds; round++)
		sleeping_function(round);
	return unused;
}

static pthread_t *start(void)
{
	pthread_t *all = calloc((size_t)threads, sizeof(*all));
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	for (int i = 0; all && i < threads; i++) {
		errno = pthread_create(&all[i], &small, sleeper, NULL);
		if (errno)
			die("start a thread");
	}
	return all;
}

// "stdin": until it is closed. Otherwise so many milliseconds.
static void keep_asleep(const char *how)
{
	long ms = strcmp(how, "stdin") ? number(how) : 0;
	char byte;

	if (!strcmp(how, "stdin")) {
		while (read(STDIN_FILENO, &byte, 1) > 0)
			;
		return;
	}
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

int main(int argc, char **argv)
{
	pthread_t *all;

	usage(argc, argv, (const int[]){1, 3},
	      "sleepers THREADS [ROUNDS [MILLISECONDS|stdin]]\n"
	      "THREADS threads fall asleep in sleeping_function, all at once, ROUNDS times; they\n"
	      "are woken when all are inside and MILLISECONDS passed or stdin was closed.\n");
	threads = (int)number(argv[1]);
	rounds = argc > 2 ? (int)number(argv[2]) : 1;
	all = start();
	if (!all)
		die("keep the threads' names");
	for (int round = 1; round <= rounds; round++) {
		wait_for(&inside, threads * round);
		if (round == 1) {
			printf("ready=%d\n", threads);
			fflush(stdout);
		}
		keep_asleep(argc > 3 ? argv[3] : "0");
		atomic_store(&released, round);
		futex_wake(&released);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	free(all);
	printf("sleeping_function=%d\n", atomic_load(&inside));
	return 0;
}
