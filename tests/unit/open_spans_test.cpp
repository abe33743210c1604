#include "probe/open_spans.h"

#include <gtest/gtest.h>

#include <vector>

namespace kcost::probe {
namespace {

std::vector<kc_set> two_sets() {
    std::vector<kc_set> sets(2);
    sets[0].tags[0] = 100;
    sets[0].ways[0].depth = 2;
    sets[0].ways[0].frames[0].target = 0;
    sets[0].ways[0].frames[1].target = 1;
    sets[1].tags[3] = KC_IDLE_TAG | 5;
    sets[1].ways[3].depth = 1;
    sets[1].ways[3].frames[0].target = 1;
    return sets;
}

bool only_idle_is_alive(std::uint32_t tag) { return tag & KC_IDLE_TAG; }

TEST(OpenSpans, CountsFramesBySite) {
    auto sets = two_sets();
    EXPECT_EQ(count_open(sets.data(), sets.size(), 2), (std::vector<std::uint64_t>{1, 2}));
}

TEST(OpenSpans, IgnoresFreeSlotsAndForeignSites) {
    auto sets = two_sets();
    sets[0].tags[0] = 0;
    sets[1].ways[3].frames[0].target = 7;
    EXPECT_EQ(count_open(sets.data(), sets.size(), 2), (std::vector<std::uint64_t>{0, 0}));
}

TEST(OpenSpans, NeverReadsPastASlotsFrames) {
    auto sets = two_sets();
    sets[1].ways[3].depth = 1000;
    EXPECT_EQ(count_open(sets.data(), sets.size(), 1)[0], 1u + KC_FRAMES - 1);
}

TEST(OpenSpans, ReclaimsWhatEndedTasksLeft) {
    auto sets = two_sets();
    auto ended = reclaim_ended(sets.data(), sets.size(), 2, only_idle_is_alive);
    EXPECT_EQ(ended, (std::vector<std::uint64_t>{1, 1}));
    EXPECT_EQ(sets[0].tags[0], 0u);
    EXPECT_EQ(sets[0].ways[0].depth, 0u);
    EXPECT_EQ(sets[1].tags[3], KC_IDLE_TAG | 5u);
    EXPECT_EQ(count_open(sets.data(), sets.size(), 2), (std::vector<std::uint64_t>{0, 1}));
}

TEST(OpenSpans, ThisThreadExistsAndIdleTasksAlwaysDo) {
    EXPECT_TRUE(thread_exists(1));
    EXPECT_TRUE(thread_exists(KC_IDLE_TAG | 3));
    EXPECT_FALSE(thread_exists(0x7ffffff0));
}

}  // namespace
}  // namespace kcost::probe
