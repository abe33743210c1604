#include <gtest/gtest.h>

#include "kernel/exclusive.h"
#include "kernel_a64_words.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

/// Of the instructions from the first those within a sequence: "..###." and so on.
std::string sequences_in(const std::vector<std::uint32_t>& words) {
    const Flow flow = Flow::of({kHere, words});
    std::string marks;
    for (std::size_t i = 0; i < words.size(); i++) {
        marks += in_exclusive_sequence(flow, kHere + 4 * i) ? '#' : '.';
    }
    return marks;
}

TEST(ExclusiveSequence, FromTheLoadToTheStoreOfARetryLoop) {
    EXPECT_EQ(sequences_in({kNop, kLoadExclusive, kNop, kStoreExclusive, cbz(16, 4), kNop, kRet}),
              ".###...");
}

TEST(ExclusiveSequence, OnEveryPathAndNotOnTheWayOut) {
    // A compare-and-exchange: it leaves without a store where the value is another one.
    EXPECT_EQ(
        sequences_in({kLoadExclusive, cbz(4, 20), kNop, kStoreExclusive, cbz(16, 0), kNop, kRet}),
        "####...");
    // A wait for an event loads, and never stores.
    EXPECT_EQ(sequences_in({kLoadExclusive, cbz(4, 12), kNop, kRet}), "....");
    EXPECT_EQ(sequences_in({kLoadExclusive, cbz(4, 16), kStoreExclusive, kRet, kLoadExclusive, kNop,
                            kStoreExclusive, kRet}),
              "###.###.");
}

TEST(ExclusiveSequence, AllFormsAndNothingElse) {
    // ldaxrb w0, [x1]; ldxrh; ldxp x0, x3, [x1]; ldaxr w0, [x1]
    for (const std::uint32_t load : {0x085ffc20u, 0x485f7c20u, 0xc87f0c20u, 0x885ffc20u}) {
        EXPECT_EQ(sequences_in({load, kNop, kStoreExclusive, kRet}), "###.");
    }
    // stxrb w2, w0, [x1]; stxp w2, x0, x3, [x1]
    for (const std::uint32_t store : {0x08027c20u, 0xc8220c20u}) {
        EXPECT_EQ(sequences_in({kLoadExclusive, kNop, store, kRet}), "###.");
    }
    // ldar x0, [x1]; casal x2, x0, [x1]; casp x2, x3, x0, x1, [x4]; ldr x0, [x1]
    for (const std::uint32_t other : {0xc8dffc20u, 0xc8e2fc20u, 0x48627c80u, 0xf9400020u}) {
        EXPECT_EQ(sequences_in({other, kNop, kStoreExclusive, kRet}), "....");
    }
}

TEST(ExclusiveSequence, AnAddressThatIsNotReachedIsInNone) {
    const Flow flow = Flow::of({kHere, {kLoadExclusive, kStoreExclusive, kRet}});
    EXPECT_FALSE(in_exclusive_sequence(flow, kHere + 0x100));
}

}  // namespace
}  // namespace kcost::kernel
