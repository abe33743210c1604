/* SPDX-License-Identifier: GPL-2.0-only */
/* Settings, and the maps: those that all targets share and those of one target. */
#ifndef KCOST_MAPS_BPF_H
#define KCOST_MAPS_BPF_H

const volatile __u8 bin_lookup[KC_BIN_LOOKUP] = {};

#define SETTING(field)                                                                  \
	({                                                                              \
		__u64 setting_;                                                         \
		asm volatile("%0 = %1" : "=r"(setting_) :                                        \
		    "i"(KC_SETTING_MAGIC + __builtin_offsetof(struct kc_settings, field))); \
		setting_;                                                               \
	})
#define SETTING64(field)                                                                \
	({                                                                              \
		__u64 setting_;                                                         \
		asm volatile("%0 = %1 ll" : "=r"(setting_) :                                     \
		    "i"(KC_SETTING_MAGIC + __builtin_offsetof(struct kc_settings, field))); \
		setting_;                                                               \
	})

/* Shared by all targets; user space hands the first target's maps to the others. */
struct kc_control control SEC(".data.control") = {};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kc_set);
} kc_tasks SEC(".maps");

/* Stale frames that another target's exit found, by the target that lost them. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} kc_discarded SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 8 * KC_STACK_FRAMES);
} kc_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct kc_payer_key);
	__type(value, struct kc_payer);
} kc_payers SEC(".maps");

/* This target's own: cell of a CPU and a split at cpu * splits + split. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kc_cell);
} kc_cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, KC_SPLITS);
	__type(key, __u32);
	__type(value, struct kc_split);
} kc_splits SEC(".maps");

/* One program never runs twice at once on a CPU, so plain adds are safe, but for user probes. */
#define ADD(counter, amount)                                          \
	do {                                                          \
		if (SETTING(flags) & KC_FLAG_ATOMIC)                  \
			__sync_fetch_and_add(&(counter), amount);     \
		else                                                  \
			(counter) += (amount);                        \
	} while (0)

#endif
