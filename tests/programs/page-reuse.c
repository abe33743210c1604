// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Write faults that reuse their page: fork write-protects the pages, the child is gone before
// they are written again, so each write makes one fault, no copy and one TLB flush of a page.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pin.h"
#include "program.h"

static long minor_faults(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_minflt;
}

static void write_each(volatile char *pages, long n, long page)
{
	for (long i = 0; i < n; i++)
		pages[i * page]++;
}

static void fork_and_reap(void)
{
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (!child)
		_exit(0);
	if (waitpid(child, NULL, 0) != child)
		die("wait for the child");
}

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE), faults = 0, n, rounds;
	char *pages;

	usage(argc, argv, (const int[]){1, 2},
	      "page-reuse N [ROUNDS]\n"
	      "Write-protects N pages by fork and writes them again after the child is gone.\n");
	// New pages wait in a list of their CPU's for the LRU; a write fault on another CPU cannot
	// empty that list, finds a reference too many and copies the page.
	pin_to_one_cpu();
	n = number(argv[1]);
	rounds = argc > 2 ? number(argv[2]) : 1;

	pages = mmap(NULL, (size_t)(n * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (pages == MAP_FAILED)
		die("map the pages");
	// Without THP in the kernel there is nothing to switch off.
	if (madvise(pages, (size_t)(n * page), MADV_NOHUGEPAGE) && errno != EINVAL)
		die("switch off huge pages");
	write_each(pages, n, page);

	for (long round = 0; round < rounds; round++) {
		long before;

		fork_and_reap();
		before = minor_faults();
		write_each(pages, n, page);
		faults += minor_faults() - before;
	}
	printf("pages=%ld\nrounds=%ld\nreuses=%ld\nminor_faults=%ld\n", n, rounds, n * rounds, faults);
	return 0;
}
