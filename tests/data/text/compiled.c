// What the four patches' functions look like from another compiler: reduced to the flow that signatures ask about, in our
// own words. COMPILER-before.words and COMPILER-after.words are this file by
//   aarch64-linux-gnu-gcc -O2 -fno-pic -fno-pie -ffreestanding -mno-outline-atomics -c -DPATCHED=0|1            (gcc12)
//   clang-14 --target=aarch64-linux-gnu, the same                                 (clang14)
// linked at 0xffff800080000000, the functions' words and the other symbols in the form of kernel_text_fixture.h.
typedef unsigned long u64;
#define noinline __attribute__((noinline))

#define OUTSIDE(name) \
    noinline u64 name(u64 a, u64 b, u64 c) { \
        __asm__ volatile("" ::: "memory"); \
        return a ^ b ^ c; \
    }
OUTSIDE(memcpy_)
OUTSIDE(sync_icache_aliases)
OUTSIDE(kmap)
OUTSIDE(kunmap)
OUTSIDE(_raw_spin_lock_irqsave)
OUTSIDE(cpu_switch_mm)
OUTSIDE(kmem_cache_alloc_noprof)
OUTSIDE(__kmalloc_cache_noprof)
OUTSIDE(arch_uretprobe_hijack_return_addr)
OUTSIDE(kfree)
OUTSIDE(_printk)
noinline int bcmp(const void *a, const void *b, u64 n) { return sync_icache_aliases((u64)a, (u64)b, n) != 0; }
noinline int memcmp(const void *a, const void *b, u64 n) { return bcmp(a, b, n); }

u64 __per_cpu_offset[256];
u64 active_asids, asid_generation, asid_bits;

void arch_uprobe_copy_ixol(u64 page, u64 address, const void *from, u64 length) {
    u64 to = kmap(page, 0, 0) + (address & 4095);
    if (PATCHED && !memcmp((void *)to, from, length)) return;
    memcpy_(to, (u64)from, length);
    sync_icache_aliases(to, to + length, 0);
}

static inline void flush(u64 address, u64 asid) {
    const u64 operand = address >> 12 | asid << 48;
    if (PATCHED) {
        __asm__ volatile("dsb nshst\n tlbi vale1, %0\n dsb nsh" ::"r"(operand) : "memory");
    } else {
        __asm__ volatile("dsb ishst\n tlbi vale1is, %0\n dsb ish\n tlbi vale1is, xzr\n dsb ish" ::"r"(operand) : "memory");
    }
}

int __ptep_set_access_flags(u64 asid, u64 address, u64 *entry, u64 value, int dirty) {
    u64 old = *entry, next;
    if (old == value) return 0;
    do {
        next = (old ^ 128) | (value & 0x6000000000440UL);
    } while (!__atomic_compare_exchange_n(entry, &old, next ^ 128, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (dirty) flush(address, asid);
    return 1;
}

static u64 this_cpu(void) {
    u64 task;
    __asm__("mrs %0, sp_el0" : "=r"(task));
    return *(unsigned *)(task + 16);
}

static u64 *own_active_asid(void) {
    u64 offset;
    if (!PATCHED) return (u64 *)((u64)&active_asids + __per_cpu_offset[this_cpu()]);
    __asm__("mrs %0, tpidr_el1" : "=r"(offset));
    return (u64 *)((u64)&active_asids + offset);
}

void check_and_switch_context(u64 *mm) {
    u64 asid = mm[120], *own = own_active_asid(), old = *own, flags;
    if (old && !((asid ^ asid_generation) >> asid_bits) &&
        __atomic_compare_exchange_n(own, &old, asid, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        cpu_switch_mm(mm[13], (u64)mm, 0);
        return;
    }
    __asm__ volatile("mrs %0, daif\n msr daifset, #3" : "=r"(flags)::"memory");
    for (u64 cpu = 0; cpu < 256; cpu++) asid ^= *(u64 *)((u64)&active_asids + __per_cpu_offset[cpu]);
    *own = mm[120] = asid;
    __asm__ volatile("msr daif, %0" ::"r"(flags) : "memory");
    cpu_switch_mm(mm[13], (u64)mm, 1);
}

struct record {
    struct record *next;
    u64 address;
};

void uprobe_notify_resume(u64 *task) {
    u64 *own = (u64 *)task[1];
    struct record *record;
    if (!own) own = (u64 *)kmem_cache_alloc_noprof(0, 0, 0);
    if (!own || own[1] > 63) {
        _printk(0, 0, 0);
        return;
    }
    record = PATCHED ? (struct record *)&own[8 + 2 * own[1]] : (struct record *)__kmalloc_cache_noprof(1, 2, 3);
    if (!record) return;
    record->address = arch_uretprobe_hijack_return_addr(task[0], 0, 0);
    if (record->address == ~0UL) {
        if (!PATCHED) kfree((u64)record, 0, 0);
        return;
    }
    record->next = (struct record *)own[0];
    own[0] = (u64)record;
    own[1]++;
}
