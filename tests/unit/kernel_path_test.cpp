#include <gtest/gtest.h>

#include "kernel/path.h"
#include "kernel_a64_words.h"
#include "kernel_text_fixture.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;
using Offsets = std::vector<std::uint64_t>;

Offsets way(const std::vector<std::uint32_t>& words, std::uint64_t avoided = ~0ull) {
    const Flow flow = Flow::of(TextRange{kHere, words});
    const auto returns = [](std::uint64_t, const A64Instruction& instruction) {
        return instruction.kind == A64Kind::kReturn;
    };
    const auto avoid = [&](std::uint64_t at, const A64Instruction&) {
        return at == kHere + avoided;
    };
    Offsets offsets;
    for (const std::uint64_t at : shortest_way(flow, kHere, returns, avoid)) {
        offsets.push_back(at - kHere);
    }
    return offsets;
}

TEST(Path, TheShortestWayRoundWhatIsAvoided) {
    const std::vector<std::uint32_t> words = {cbz(0, 12), kNop, kRet, kNop, kNop, kRet};
    EXPECT_EQ(way(words), (Offsets{0, 4, 8}));
    EXPECT_EQ(way(words, 4), (Offsets{0, 12, 16, 20}));
    EXPECT_EQ(way(words, 0), Offsets());
    EXPECT_EQ(way({kNop, b(4, 0)}), Offsets());
}

TEST(Path, WhatMasksInterrupts) {
    const auto masks = [](std::uint32_t word) { return masks_interrupts(decode_a64(word, kHere)); };
    EXPECT_TRUE(masks(0xd50342df));   // msr daifset, #2
    EXPECT_TRUE(masks(0xd50343df));   // msr daifset, #3
    EXPECT_TRUE(masks(0xd5034fdf));   // msr daifset, #0xf
    EXPECT_FALSE(masks(0xd50348df));  // msr daifset, #8
    EXPECT_FALSE(masks(0xd50342ff));  // msr daifclr, #2
    EXPECT_TRUE(masks(0xd5184604));   // msr icc_pmr_el1, x4
    EXPECT_FALSE(masks(0xd5384604));  // mrs x4, icc_pmr_el1
}

// As a kernel of the lab has it: __icache_flags, which sync_icache_aliases loads first.
TEST(Path, AReferenceInRealText) {
    const Flow flow = Flow::of(fixture_function("6.12-max", "sync_icache_aliases"));
    std::set<std::uint64_t> all;
    std::uint64_t address = 0;
    std::map<unsigned, std::uint64_t> pages;
    for (const auto& [at, instruction] : flow.instructions()) {
        all.insert(at);
        if (instruction.kind == A64Kind::kPageAddress) {
            pages[instruction.destination] = instruction.target;
        }
        const bool loads = instruction.kind == A64Kind::kLoadImmediate;
        if (loads && address == 0 && pages.contains(instruction.source)) {
            address = pages[instruction.source] + instruction.immediate;
        }
    }
    ASSERT_NE(address, 0u);
    EXPECT_EQ(references_to(flow, all, address).size(), 1u);
    EXPECT_TRUE(references_to(flow, all, address + 8).empty());
}

}  // namespace
}  // namespace kcost::kernel
