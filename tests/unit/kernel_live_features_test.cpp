#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/facts.h"
#include "kernel/live_features.h"
#include "kernel/machine.h"
#include "kernel/symbol_lookup.h"
#include "kernel_a64_words.h"
#include "kernel_live_root.h"
#include "kernel_text_fixture.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

Flow fixture_flow(const std::string& kernel_cpu, const std::string& symbol) {
    return Flow::of(fixture_function(kernel_cpu, symbol));
}

CacheWork work_of(const std::string& kernel_cpu) {
    return cache_work(fixture_flow(kernel_cpu, "caches_clean_inval_pou"));
}

TEST(CacheWork, FollowsTheCpu) {
    for (const char* kernel : {"6.12-cortex-a72", "6.12-kpti"}) {
        EXPECT_TRUE(work_of(kernel).cleans_data) << kernel;
        EXPECT_TRUE(work_of(kernel).invalidates_instructions) << kernel;
    }
    for (const char* kernel : {"6.1-max", "6.12-max", "6.12-neoverse-n1", "6.18-max", "6.19-max",
                               "newest-max", "newest-neoverse-n1"}) {
        EXPECT_FALSE(work_of(kernel).cleans_data) << kernel;
        EXPECT_TRUE(work_of(kernel).invalidates_instructions) << kernel;
    }
}

TEST(CacheWork, NoneWhereTheCpuNeedsNone) {
    // Its loops are jumped over: IDC by the dsb ishst and its branch, DIC by the isb and its own.
    const TextRange neither{kHere,
                            {kNop, kDsbIshst, b(8, 20), 0xd50b7b20, kDsbIsh, kIsb, b(24, 36),
                             0xd50b7520, kDsbIsh, kRet}};
    EXPECT_FALSE(cache_work(Flow::of(neither)).cleans_data);
    EXPECT_FALSE(cache_work(Flow::of(neither)).invalidates_instructions);
    const TextRange short_way{kHere, {kDsbIshst, kIsb, kRet, 0xd50b7520}};
    EXPECT_FALSE(cache_work(Flow::of(short_way)).invalidates_instructions);
    EXPECT_FALSE(cache_work(Flow::of({kHere, {}})).cleans_data);
}

TEST(IcacheFlags, AddressIsWhatIsLoadedFirst) {
    const auto address_in = [](const char* kernel_cpu) {
        return icache_flags_address(fixture_flow(kernel_cpu, "sync_icache_aliases"));
    };
    EXPECT_EQ(address_in("6.1-max"), 0xffffd970a3e100f8);
    EXPECT_EQ(address_in("6.12-max"), 0xffffa50273b8e0e8);
    EXPECT_EQ(address_in("6.12-cortex-a72"), 0xffffa118deb8e0e8);
    EXPECT_EQ(address_in("6.18-max"), 0xffff93203df96318);
    EXPECT_EQ(address_in("6.19-max"), 0xffff9920d5fe7300);
    EXPECT_EQ(address_in("newest-max"), 0xffffa33ca2bde380);
}

// The same kernel at another boot: the symbols are as far from one another.
TEST(IcacheFlags, AddressIsTheSymbolsOwn) {
    const Root root = guest("arm64-7.3");
    const auto flags = find_data(root, {"__icache_flags"});
    const auto function = find_many(root, {"sync_icache_aliases"});
    ASSERT_TRUE(flags && function);
    const Flow flow = fixture_flow("newest-max", "sync_icache_aliases");
    EXPECT_EQ(icache_flags_address(flow).value_or(0) - flow.begin(),
              flags->front() - function->front().front().address);
}

TEST(IcacheFlags, NothingWhereNoPageIsLoadedFrom) {
    const auto address_of = [](std::vector<std::uint32_t> words) {
        return icache_flags_address(Flow::of({kHere, std::move(words)}));
    };
    constexpr std::uint32_t kPage = 0xb0000002, kLoad = 0xf9407442;  // adrp x2; ldr x2, [x2, #232]
    EXPECT_EQ(address_of({kPage, kNop, kLoad, kRet}), kHere + 0x1000 + 232);
    EXPECT_EQ(address_of({kLoad, kPage, kRet}), std::nullopt) << "not from that page";
    EXPECT_EQ(address_of({kPage, 0xf9407402 /* ldr x2, [x0, #232] */, kRet}), std::nullopt);
    EXPECT_EQ(address_of({kPage, cbz(4, 12), kNop, kLoad, kRet}), std::nullopt) << "not before all";
    EXPECT_EQ(address_of({kRet, kPage, kLoad}), std::nullopt);
    EXPECT_EQ(address_of({}), std::nullopt);
}

constexpr const char* kCacheFlush = "caches_clean_inval_pou";
constexpr const char* kAliasFlush = "sync_icache_aliases";
constexpr const char* kPageFlush = "ptep_clear_flush";

/// The kernel's functions that tell facts, and its I-cache flags.
LiveRoot& fill(LiveRoot& root, const std::string& kernel_cpu, std::uint64_t icache_flags) {
    for (const char* symbol : {kCacheFlush, kAliasFlush, kPageFlush}) {
        root.add_function(symbol, fixture_function(kernel_cpu, symbol));
    }
    const auto address = icache_flags_address(fixture_flow(kernel_cpu, kAliasFlush));
    return root.add_bytes(address.value_or(0), bytes_of(icache_flags));
}

/// The values of cpu.idc, cpu.dic, cpu.icache, cpu.tlbi_repeat and cpu.kpti, which must be all.
std::vector<std::string> facts_of(const Root& root) {
    model::Machine machine;
    add_live_facts(root, machine);
    std::vector<std::string> keys, values;
    for (const auto& [key, value] : machine) {
        keys.push_back(key);
        values.push_back(value);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"cpu.idc", "cpu.dic", "cpu.icache", "cpu.tlbi_repeat",
                                              "cpu.kpti"}));
    return values;
}
using Values = std::vector<std::string>;

TEST(LiveFacts, OfKernelsOnSeveralCpus) {
    struct Case {
        const char* kernel_cpu;
        std::uint64_t flags;
        Values values;
    };
    const Case cases[] = {
        {"6.1-max", 0, {"yes", "no", "PIPT", "no", "no"}},
        {"6.12-max", 0, {"yes", "no", "PIPT", "no", "no"}},
        {"6.12-cortex-a72", 1, {"no", "no", "VIPT", "no", "yes"}},
        {"6.12-kpti", 2, {"no", "no", "PIPT", "no", "yes"}},
        {"6.12-neoverse-n1", 3, {"yes", "no", "VIPT", "yes", "yes"}},
        {"newest-neoverse-n1", 0, {"yes", "no", "PIPT", "yes", "yes"}},
    };
    for (const Case& it : cases) {
        LiveRoot root;
        EXPECT_EQ(facts_of(fill(root, it.kernel_cpu, it.flags).get()), it.values) << it.kernel_cpu;
    }
}

TEST(LiveFacts, WhatAProbeHidesIsUnknown) {
    LiveRoot root;
    TextRange caches = fixture_function("6.12-max", kCacheFlush);
    TextRange aliases = fixture_function("6.12-max", kAliasFlush);
    TextRange page = fixture_function("6.12-max", kPageFlush);
    for (TextRange* range : {&caches, &aliases, &page}) range->words[1] = kKprobe;
    root.add_function(kCacheFlush, caches)
        .add_function(kAliasFlush, aliases)
        .add_function(kPageFlush, page);
    EXPECT_EQ(facts_of(root.get()), Values(5, kUnknown));
}

TEST(LiveFacts, EachIsToldWithoutTheOthers) {
    LiveRoot root;
    root.add_function(kCacheFlush, fixture_function("6.12-cortex-a72", kCacheFlush));
    EXPECT_EQ(facts_of(root.get()), (Values{"no", "no", kUnknown, kUnknown, kUnknown}));
    root.add_function(kPageFlush, fixture_function("6.12-max", kPageFlush));
    EXPECT_EQ(facts_of(root.get()), (Values{"no", "no", kUnknown, "no", "no"}));
}

TEST(LiveFacts, FlagsThatAreNotThereAreUnknown) {
    LiveRoot root;
    root.add_function(kAliasFlush, fixture_function("6.12-max", kAliasFlush));
    EXPECT_EQ(facts_of(root.get()), Values(5, kUnknown));
}

// Where no page is flushed for all CPUs nothing tells how that is done.
TEST(LiveFacts, LocalFlushesTellNothingOfBroadcasts) {
    LiveRoot root;
    root.add_function(kPageFlush, fixture_function("6.19-max", "__ptep_set_access_flags"));
    EXPECT_EQ(facts_of(root.get()), Values(5, kUnknown));
}

TEST(LiveFacts, UnknownHasItsReason) {
    TempRoot root;
    root.put("/proc/sys/kernel/arch", "aarch64\n");
    EXPECT_NE(facts_of(root.get()).front().find("/proc/kallsyms: No such file"), std::string::npos);
    root.put("/proc/kallsyms", "ffff000000001000 T _stext\n");
    EXPECT_EQ(facts_of(root.get()),
              Values(5, "unknown (cannot read live kernel text (/proc/kcore): it does not exist)"));
    root.put("/proc/kallsyms", "0000000000000000 T _stext\n");
    EXPECT_NE(facts_of(root.get()).front().find("shows every address as zero"), std::string::npos);
}

TEST(LiveFacts, NoneOfOtherArchitectures) {
    LiveRoot root("x86_64");
    EXPECT_EQ(facts_of(fill(root, "6.12-max", 0).get()), Values(5, "none (x86_64)"));
    TempRoot untold;
    EXPECT_EQ(facts_of(untold.get()), Values(5, kUnknown));
}

TEST(LiveFacts, FollowTheOthersOfTheCpu) {
    const model::Machine machine = read_machine(guest("arm64-7.3"));
    std::vector<std::string> keys;
    for (const auto& it : machine) keys.push_back(it.first);
    const auto idc = std::find(keys.begin(), keys.end(), "cpu.idc");
    ASSERT_GE(keys.end() - idc, 6);
    EXPECT_TRUE((idc - 1)->starts_with("cpu."));
    EXPECT_EQ(*(idc + 4), "cpu.kpti");
    EXPECT_TRUE((idc + 5)->starts_with("memory."));
}

}  // namespace
}  // namespace kcost::kernel
