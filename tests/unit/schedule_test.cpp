#include "analyse/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kcost {
namespace {

using model::Mode;

const std::vector<Mode> kAll = {Mode::kBare, Mode::kProbed, Mode::kSampled};

std::vector<std::pair<std::size_t, Mode>> order_of(unsigned block, std::uint64_t seed) {
    std::vector<std::pair<std::size_t, Mode>> order;
    for (const Step& step : make_block(block, 2, kAll, seed)) {
        EXPECT_EQ(step.block, block);
        order.emplace_back(step.workload, step.mode);
    }
    return order;
}

TEST(Schedule, ABlockHasEachModeOfEachWorkloadOnce) {
    const auto order = order_of(0, 1);
    EXPECT_EQ(order.size(), 6u);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 6u);
    EXPECT_TRUE(make_block(0, 0, kAll, 1).empty());
    EXPECT_TRUE(make_block(0, 3, {}, 1).empty());
}

TEST(Schedule, TheSeedReproducesIt) {
    EXPECT_EQ(order_of(3, 77), order_of(3, 77));
    std::set<std::vector<std::pair<std::size_t, Mode>>> different;
    for (unsigned block = 0; block < 20; block++) different.insert(order_of(block, 77));
    EXPECT_GT(different.size(), 10u);
    // The engine and the seed sequence are the standard's, so this holds on every machine.
    const std::vector<Side> first = boot_order(5, 1);
    EXPECT_EQ(first, boot_order(5, 1));
    EXPECT_NE(boot_order(20, 1), boot_order(20, 2));
}

TEST(Schedule, EachPlaceInABlockIsAsLikely) {
    std::vector<unsigned> first(6);
    for (unsigned block = 0; block < 6000; block++) {
        const Step step = make_block(block, 2, kAll, 5).front();
        first[step.workload * 3 + static_cast<std::size_t>(step.mode)]++;
    }
    for (unsigned count : first) EXPECT_NEAR(count, 1000, 150);
}

TEST(Schedule, BootsComeInPairs) {
    const std::vector<Side> order = boot_order(50, 9);
    ASSERT_EQ(order.size(), 100u);
    std::size_t before_first = 0;
    for (std::size_t i = 0; i < order.size(); i += 2) {
        EXPECT_NE(order[i], order[i + 1]);
        before_first += order[i] == Side::kBefore;
    }
    EXPECT_GT(before_first, 10u);
    EXPECT_LT(before_first, 40u);
    EXPECT_TRUE(boot_order(0, 9).empty());
}

}  // namespace
}  // namespace kcost
