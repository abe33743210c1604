#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "kernel/flow.h"
#include "kernel_a64_words.h"
#include "kernel_text_fixture.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

using Offsets = std::vector<std::uint64_t>;
using Lines = std::vector<std::string>;

Flow flow_of(std::vector<std::uint32_t> words, const std::set<std::uint64_t>& no_return = {}) {
    return Flow::of(TextRange{kHere, std::move(words)}, no_return);
}

template <typename Addresses>
Offsets offsets(const Flow& flow, const Addresses& addresses) {
    Offsets found;
    for (const std::uint64_t address : addresses) found.push_back(address - flow.begin());
    return found;
}

Offsets reached(const Flow& flow) {
    Offsets found;
    for (const auto& it : flow.instructions()) found.push_back(it.first - flow.begin());
    return found;
}

bool is_maintenance(A64Kind kind) {
    return kind == A64Kind::kTlbi || kind == A64Kind::kDsb || kind == A64Kind::kDataCache ||
           kind == A64Kind::kInstructionCache;
}

/// Reachable TLBI, DSB, DC and IC as "+OFFSET TEXT".
Lines maintenance(const std::string& kernel_cpu, const std::string& symbol) {
    const Flow flow = Flow::of(fixture_function(kernel_cpu, symbol));
    Lines lines;
    for (const auto& [address, instruction] : flow.instructions()) {
        if (!is_maintenance(instruction.kind)) continue;
        lines.push_back("+" + std::to_string(address - flow.begin()) + " " +
                        to_string(instruction));
    }
    return lines;
}

Flow fixture_flow(const std::string& kernel_cpu, const std::string& symbol) {
    return Flow::of(fixture_function(kernel_cpu, symbol));
}

TEST(Flow, FollowsBothWaysOfAConditionalBranch) {
    const Flow flow = flow_of({cbz(0, 12), kNop, kRet, kNop, kRet});
    EXPECT_EQ(reached(flow), (Offsets{0, 4, 8, 12, 16}));
    EXPECT_EQ(offsets(flow, flow.successors(kHere)), (Offsets{4, 12}));
    EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{8, 16}));
    EXPECT_TRUE(flow.tail_calls().empty());
    EXPECT_EQ(flow.end(), kHere + 20);
}

TEST(Flow, DoesNotSweepOverWhatIsJumpedOver) {
    const Flow flow = flow_of({b(0, 12), 0xd50883a0, kNop, kRet, 0xd50883bf});
    EXPECT_EQ(reached(flow), (Offsets{0, 12}));
    EXPECT_FALSE(flow.reaches(kHere + 4));
    EXPECT_EQ(flow.at(kHere + 12).kind, A64Kind::kReturn);
}

TEST(Flow, CallsGoOnBehindThemselves) {
    const Flow flow = flow_of({bl(0, 0x1000), 0xd63f0020, kRet});
    EXPECT_EQ(reached(flow), (Offsets{0, 4, 8}));
    EXPECT_EQ(flow.calls(), (std::map<std::uint64_t, std::uint64_t>{{kHere, kHere + 0x1000}}));
}

TEST(Flow, BranchesOutOfTheFunctionAreTailCalls) {
    const Flow flow = flow_of({cbz(0, 0x100), cbz(4, 16), b(8, -4), kNop, 0xd61f0200});
    EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{0, 8, 16}));
    const std::map<std::uint64_t, std::uint64_t> tails = {
        {kHere, kHere + 0x100}, {kHere + 8, kHere - 4}, {kHere + 16, 0}};
    EXPECT_EQ(flow.tail_calls(), tails);
    EXPECT_EQ(offsets(flow, flow.successors(kHere)), (Offsets{4}));
}

TEST(Flow, ABranchToItsOwnFirstWordIsALoop) {
    const Flow flow = flow_of({kNop, cbz(4, 0), b(8, 0)});
    EXPECT_EQ(reached(flow), (Offsets{0, 4, 8}));
    EXPECT_TRUE(flow.exits().empty());
    EXPECT_TRUE(flow.tail_calls().empty());
    // The first word behind the function is another function's.
    EXPECT_EQ(flow_of({b(0, 4)}).tail_calls().size(), 1u);
    EXPECT_TRUE(flow_of({b(0, 0)}).exits().empty());
}

TEST(Flow, AWarningGoesOnAndUdfDies) {
    const Flow flow = flow_of({0xd4210000, cbz(4, 12), kRet, kUdf, kRet});
    EXPECT_EQ(reached(flow), (Offsets{0, 4, 8, 12}));
    EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{8}));
}

TEST(Flow, ExceptionReturnsAreExits) { EXPECT_EQ(flow_of({0xd69f03e0, kNop}).exits().size(), 1u); }

TEST(Flow, RunningOffTheEndIsNoExit) {
    EXPECT_TRUE(flow_of({kNop, kNop}).exits().empty());
    EXPECT_TRUE(flow_of({kNop, bl(4, 0x100)}).exits().empty());
    EXPECT_TRUE(flow_of({}).instructions().empty());
}

TEST(Flow, CallsThatDoNotReturnEndAPath) {
    const std::vector<std::uint32_t> words = {cbz(0, 8), kRet, bl(8, 0x100), 0xd53cd040, b(16, 96)};
    EXPECT_EQ(flow_of(words).exits().size(), 2u);
    const Flow flow = flow_of(words, {kHere + 0x100});
    EXPECT_EQ(reached(flow), (Offsets{0, 4, 8}));
    EXPECT_EQ(flow.exits().size(), 1u);
}

// Half of the pointer in front of the next function may look like a branch.
TEST(Flow, TheLiteralOfTheNextFunctionIsNoCode) {
    const Flow flow = flow_of({kNop, bl(4, 0x100), 0x14001234, 0xffff8000});
    EXPECT_EQ(reached(flow), (Offsets{0, 4}));
    EXPECT_TRUE(flow.exits().empty());
    EXPECT_EQ(flow.end(), kHere + 8);
}

TEST(Flow, ReachableStopsWhereItIsTold) {
    const Flow flow = flow_of({cbz(0, 12), 0xd5033b9f, kRet, kNop, kRet});
    const auto stop = [](std::uint64_t, const A64Instruction& instruction) {
        return instruction.kind == A64Kind::kDsb;
    };
    EXPECT_EQ(offsets(flow, flow.reachable(kHere, stop)), (Offsets{0, 4, 12, 16}));
    EXPECT_EQ(offsets(flow, flow.reachable(kHere + 4, stop)), (Offsets{4}));
    EXPECT_TRUE(flow.reachable(kHere + 64, stop).empty());
}

TEST(Flow, TellsWhereProbesAreArmed) {
    const Flow flow = flow_of({kNop, kKprobe, 0xd42000a0, 0xd4210000, kRet, kKprobe});
    EXPECT_EQ(offsets(flow, flow.armed()), (Offsets{4, 8}));
}

TEST(Flow, KnowsWhetherTheFrameRecordIsMade) {
    const Flow flow = flow_of({cbz(0, 16), kFrame, bl(8, 0x100), kRet, kNop, kRet});
    EXPECT_TRUE(flow.before_frame_record(kHere));
    EXPECT_TRUE(flow.before_frame_record(kHere + 4));
    EXPECT_FALSE(flow.before_frame_record(kHere + 8));
    EXPECT_FALSE(flow.before_frame_record(kHere + 12));
    EXPECT_TRUE(flow.before_frame_record(kHere + 20));
    EXPECT_FALSE(flow.before_frame_record(kHere + 400));
}

// Branches of all kinds that lead anywhere, and words at random.
TEST(Flow, AnyWordsEnd) {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        std::vector<std::uint32_t> words;
        for (int i = 0; i < 64; ++i) {
            const int from = 4 * i, to = static_cast<int>(random() % 80) * 4 - 32;
            const std::uint32_t kinds[] = {static_cast<std::uint32_t>(random()), b(from, to),
                                           cbz(from, to), bl(from, to), kNop};
            words.push_back(kinds[random() % 5]);
        }
        const TextRange range{round % 2 ? kHere : ~std::uint64_t{0} - 127, words};
        const Flow flow = Flow::of(range);
        EXPECT_LE(flow.instructions().size(), 64u);
        for (const auto& it : flow.instructions()) {
            EXPECT_LE(flow.successors(it.first).size(), 2u);
            flow.before_frame_record(it.first);
        }
        EXPECT_LE(flow.exits().size(), flow.instructions().size());
    }
}

TEST(FlowCallers, FindsBothKindsInBothDirections) {
    const TextRange text{kHere, {b(0, 8), bl(4, 8), kNop, bl(12, 8), bl(16, 4), 0x54ffffa3}};
    const auto sites = callers_of(text, kHere + 8);
    ASSERT_EQ(sites.size(), 3u);
    EXPECT_EQ(sites[0].address, kHere);
    EXPECT_TRUE(sites[0].tail);
    EXPECT_EQ(sites[1].address, kHere + 4);
    EXPECT_FALSE(sites[1].tail);
    EXPECT_EQ(sites[2].address, kHere + 12);
    EXPECT_TRUE(callers_of(text, kHere + 0x1000).empty());
    // As far as a branch goes: 128 MB back, and 4 less forward.
    EXPECT_EQ(callers_of({kHere, {0x96000000}}, kHere - (1 << 27)).size(), 1u);
    EXPECT_EQ(callers_of({kHere, {0x95ffffff}}, kHere + (1 << 27) - 4).size(), 1u);
}

TEST(FlowCallers, ScansAllTextOfAKernelFast) {
    TextRange text{kHere, std::vector<std::uint32_t>(17u << 18)};
    std::mt19937 random(3);
    for (std::uint32_t& word : text.words) word = static_cast<std::uint32_t>(random()) | 1u << 31;
    text.words[1000] = b(4000, 8000);
    const auto start = std::chrono::steady_clock::now();
    const auto sites = callers_of(text, kHere + 8000);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    ASSERT_FALSE(sites.empty());
    EXPECT_EQ(sites[0].address, kHere + 4000);
    EXPECT_TRUE(sites[0].tail);
}

// The live words tell what the CPU makes the kernel do. -cpu max needs no cleaning of data (IDC),
// but the cortex-a72 does. Both have one RET.
TEST(FlowOfKernels, CacheFlushOfTheCpu) {
    const Lines max = {"+4 dsb ishst", "+104 ic ivau, x3", "+120 dsb ish"};
    const Lines a72 = {"+48 dc cvau, x2", "+64 dsb ish", "+104 ic ivau, x3", "+120 dsb ish"};
    for (const char* kernel : {"6.1-max", "6.12-max", "6.18-max", "6.19-max"}) {
        EXPECT_EQ(maintenance(kernel, "caches_clean_inval_pou"), max) << kernel;
        const Flow flow = fixture_flow(kernel, "caches_clean_inval_pou");
        EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{128})) << kernel;
    }
    EXPECT_EQ(maintenance("6.12-cortex-a72", "caches_clean_inval_pou"), a72);
    const Flow newest = fixture_flow("newest-max", "caches_clean_inval_pou");
    EXPECT_EQ(offsets(newest, newest.exits()), (Offsets{132}));
}

TEST(FlowOfKernels, SlotFlushIsBypassedByAPatchedKernel) {
    struct Row {
        const char* kernel;
        std::uint64_t flush;
        bool patched;
    };
    const Row rows[] = {{"6.1-max", 96, false},
                        {"6.12-max", 100, false},
                        {"6.18-max", 144, true},
                        {"6.19-max", 144, true},
                        {"newest-max", 112, true}};
    for (const Row& row : rows) {
        const Flow flow = fixture_flow(row.kernel, "arch_uprobe_copy_ixol");
        const std::uint64_t flush = flow.begin() + row.flush;
        ASSERT_TRUE(flow.calls().contains(flush)) << row.kernel;
        const auto stop = [flush](std::uint64_t at, const A64Instruction&) { return at == flush; };
        const auto seen = flow.reachable(flow.begin(), stop);
        ASSERT_EQ(flow.exits().size(), 1u) << row.kernel;
        EXPECT_EQ(seen.contains(flow.exits()[0]), row.patched) << row.kernel;
        EXPECT_FALSE(flow.before_frame_record(flush)) << row.kernel;
    }
}

TEST(FlowOfKernels, AccessFlagsFlushOnEveryCpuBefore619) {
    const Lines old = {"+144 dsb ishst", "+164 tlbi vale1is, x0", "+176 dsb ish"};
    EXPECT_EQ(maintenance("6.1-max", "ptep_set_access_flags"), old);
    const Lines contpte = {"+128 dsb ishst", "+144 tlbi vale1is, x2", "+160 dsb ish",
                           "+232 dsb ish"};
    EXPECT_EQ(maintenance("6.12-max", "__ptep_set_access_flags"), contpte);
    const Lines later = {"+128 dsb ishst", "+144 tlbi vale1is, x2", "+168 dsb ish", "+232 dsb ish"};
    EXPECT_EQ(maintenance("6.18-max", "__ptep_set_access_flags"), later);
    const Lines patched = {"+128 dsb nshst", "+144 tlbi vale1, x2", "+172 dsb nsh", "+236 dsb nsh"};
    EXPECT_EQ(maintenance("6.19-max", "__ptep_set_access_flags"), patched);
}

// 7.3 flushes here alone, but keeps a broadcast for ranges that are too large.
TEST(FlowOfKernels, AccessFlagsOfTheNewestKernel) {
    const Lines max = {"+212 dsb nshst",       "+328 tlbi vale1, x0", "+364 dsb nsh",
                       "+532 tlbi rvale1, x7", "+612 dsb ishst",      "+624 tlbi aside1is, x0",
                       "+632 dsb ish"};
    EXPECT_EQ(maintenance("newest-max", "__ptep_set_access_flags_anysz"), max);
    const Flow flow = fixture_flow("newest-max", "__ptep_set_access_flags_anysz");
    EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{392, 592, 600}));
}

// The erratum's repetition is behind a branch that replaces a nop.
TEST(FlowOfKernels, RepeatedBroadcastIsReachedOnTheCpuThatNeedsIt) {
    const Lines n1 = {"+104 dsb ishst",         "+120 tlbi vale1is, x1", "+136 dsb ish",
                      "+180 tlbi vale1is, xzr", "+184 dsb ish",          "+220 tlbi vale1is, x1"};
    EXPECT_EQ(maintenance("6.12-neoverse-n1", "ptep_clear_flush"), n1);
    const Lines max = {"+104 dsb ishst", "+120 tlbi vale1is, x1", "+136 dsb ish"};
    EXPECT_EQ(maintenance("6.12-max", "ptep_clear_flush"), max);
    const Flow flow = fixture_flow("6.12-neoverse-n1", "__ptep_set_access_flags");
    EXPECT_EQ(to_string(flow.at(flow.begin() + 256)), "tlbi vale1is, xzr");
}

// With page table isolation a second TLBI forgets what the user's ASID knows.
TEST(FlowOfKernels, IsolationFlushesTwice) {
    const Lines twice = {"+104 dsb ishst", "+120 tlbi vale1is, x1", "+136 dsb ish",
                         "+220 tlbi vale1is, x1"};
    EXPECT_EQ(maintenance("6.12-kpti", "ptep_clear_flush"), twice);
}

TEST(FlowOfKernels, LinkRegisterIsTheCallersUntilTheFrameRecord) {
    const Flow flow = fixture_flow("6.12-max", "__ptep_set_access_flags");
    EXPECT_TRUE(flow.before_frame_record(flow.begin() + 144));
    EXPECT_TRUE(flow.before_frame_record(flow.begin() + 160));
    EXPECT_FALSE(flow.before_frame_record(flow.begin() + 232));
    const Flow copy = fixture_flow("6.12-max", "ptep_clear_flush");
    EXPECT_FALSE(copy.before_frame_record(copy.begin() + 120));
}

// The multi-generational LRU is on in Debian's 6.12: a static key keeps the walk from the flush.
TEST(FlowOfKernels, StaticKeysDecideWhatIsReached) {
    const Lines before = {"+504 dsb ishst", "+524 tlbi vale1is, x1"};
    EXPECT_EQ(maintenance("6.1-max", "folio_referenced_one"), before);
    EXPECT_EQ(maintenance("6.12-max", "folio_referenced_one"), Lines{});
}

// Both behind calls of __stack_chk_fail, where the walk must not read the next function's literal.
TEST(FlowOfKernels, LiteralsEndTheFunction) {
    const TextRange range = fixture_function("6.12-max", "folio_referenced_one");
    EXPECT_EQ(range.words.back() >> 16, 0xffffu);
    const Flow flow = Flow::of(range);
    EXPECT_EQ(flow.end(), range.end() - 8);
    EXPECT_EQ(offsets(flow, flow.exits()), (Offsets{700}));
    const Flow old = fixture_flow("6.1-max", "folio_referenced_one");
    EXPECT_EQ(offsets(old, old.exits()), (Offsets{388}));
}

TEST(FlowOfKernels, ContextSwitchReadsItsOwnCpuData) {
    for (const char* kernel : {"6.1-max", "6.12-max", "6.18-max", "6.19-max", "newest-max"}) {
        const Flow flow = fixture_flow(kernel, "check_and_switch_context");
        int own_cpu = 0, scaled = 0;
        for (const auto& [address, instruction] : flow.instructions()) {
            own_cpu += (instruction.word & ~31u) == 0xd538d080;
            scaled += instruction.kind == A64Kind::kLoadScaled;
        }
        EXPECT_GT(own_cpu, 0) << kernel;
        EXPECT_EQ(scaled, 0) << kernel;
    }
}

TEST(FlowOfKernels, NoFixtureIsArmed) {
    for (const char* cpu : {"6.12-max", "6.12-kpti", "newest-max", "newest-neoverse-n1"}) {
        for (const char* symbol : {"tlb_flush", "do_wp_page", "__arm64_sys_getegid"}) {
            EXPECT_TRUE(fixture_flow(cpu, symbol).armed().empty()) << cpu << " " << symbol;
        }
    }
}

}  // namespace
}  // namespace kcost::kernel
