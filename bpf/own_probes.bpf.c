// SPDX-License-Identifier: GPL-2.0-only
/*
 * What kcost's own workloads put on a user probe: it counts and does nothing else, so that the hits
 * can be held against the calls that were made.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "abi.h"

char LICENSE[] SEC("license") = "GPL";

struct kc_bench_cpu kc_hits[KC_BENCH_CPUS] = {};

/* Attached as a uprobe or as a uretprobe. The kernel lets such programs preempt each other. */
SEC("kprobe")
int kc_bench(void *ctx __attribute__((unused)))
{
	__sync_fetch_and_add(&kc_hits[bpf_get_smp_processor_id() % KC_BENCH_CPUS].hits, 1);
	return 0;
}
