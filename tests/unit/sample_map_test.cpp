#include "probe/sample_map.h"

#include <gtest/gtest.h>

namespace kcost::probe {
namespace {

using Stack = std::vector<std::uint64_t>;
using Counts = std::vector<std::uint64_t>;

SampleMap map_of(std::vector<SampledPlace> places) { return SampleMap(std::move(places)); }

Counts counts(const SampleMap& map, const Stack& stack) {
    Counts by_target(2);
    map.count(stack, by_target);
    return by_target;
}

TEST(SampleMap, AFunctionWithWhatItCalls) {
    const SampleMap map = map_of({{.target = 0, .range = {0x1000, 0x1100}, .within = {}}});
    EXPECT_EQ(counts(map, {0x1000}), (Counts{1, 0}));
    EXPECT_EQ(counts(map, {0x10fc}), (Counts{1, 0}));
    EXPECT_EQ(counts(map, {0x1100}), (Counts{0, 0}));
    EXPECT_EQ(counts(map, {0x5000, 0x1040, 0x7000}), (Counts{1, 0}));
    // The call was its last instruction; the call before its first one is its neighbour's.
    EXPECT_EQ(counts(map, {0x5000, 0x1100}), (Counts{1, 0}));
    EXPECT_EQ(counts(map, {0x5000, 0x1000}), (Counts{0, 0}));
    EXPECT_EQ(counts(map, {}), (Counts{0, 0}));
}

TEST(SampleMap, RecursionAndSeveralPiecesCountOnce) {
    const SampleMap map = map_of({{.target = 0, .range = {0x1000, 0x1100}, .within = {}},
                                  {.target = 0, .range = {0x2000, 0x2100}, .within = {}},
                                  {.target = 1, .range = {0x2000, 0x2100}, .within = {}}});
    EXPECT_EQ(counts(map, {0x1010, 0x2010, 0x1010}), (Counts{1, 1}));
}

TEST(SampleMap, AnOperationIsTheLeafOnly) {
    const SampleMap map =
        map_of({{.target = 1, .range = {0x1000, 0x1010}, .amid = true, .within = {}}});
    EXPECT_EQ(counts(map, {0x1008, 0x9000}), (Counts{0, 1}));
    EXPECT_EQ(counts(map, {0x5000, 0x1008}), (Counts{0, 0}));
}

TEST(SampleMap, OnlyWithinAnotherFunction) {
    const SampleMap map =
        map_of({{.target = 0, .range = {0x1000, 0x1100}, .within = AddressRange{0x3000, 0x3100}}});
    EXPECT_EQ(counts(map, {0x1008, 0x4000, 0x3010}), (Counts{1, 0}));
    EXPECT_EQ(counts(map, {0x1008, 0x4000}), (Counts{0, 0}));
    EXPECT_EQ(counts(map, {0x3010, 0x1008}), (Counts{0, 0}));
}

}  // namespace
}  // namespace kcost::probe
