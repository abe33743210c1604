#include "analyse/interval.h"

#include <gtest/gtest.h>

#include "analyse/callers.h"
#include "analyse/report.h"

namespace kcost {
namespace {

using model::Recording;

Recording counted(std::uint64_t calls) {
    Recording recording;
    recording.window_ns = calls * 1000;
    recording.cpus = 1;
    recording.payers_one_in = 1;
    recording.frame_names = {"f", "g", "h"};
    model::Site site;
    site.function = "f";
    site.mechanism = "fentry";
    site.figures.entries = site.figures.spans = calls;
    site.figures.total_ns = site.figures.self_ns = calls * 10;
    site.figures.durations.bins.assign(KC_BINS, 0);
    site.figures.durations.bins[5] = calls;
    site.lost = {{"exit not seen", calls / 10, model::Loss::Kind::kEntry},
                 {"missed", std::nullopt, model::Loss::Kind::kUnseen}};
    model::Target target;
    target.name = "f";
    target.sites.push_back(site);
    recording.targets.push_back(target);
    recording.payers.push_back({0, 1, "one", {0, 1}, calls / 2, calls * 5});
    return recording;
}

TEST(Interval, IsLaterLessEarlier) {
    Recording interval = since(counted(300), counted(100));
    EXPECT_TRUE(interval.live);
    EXPECT_EQ(interval.window_ns, 200'000u);
    const model::Site& site = interval.targets[0].sites[0];
    EXPECT_EQ(site.figures.entries, 200u);
    EXPECT_EQ(site.figures.durations.bins[5], 200u);
    EXPECT_EQ(site.lost[0].count, 20u);
    EXPECT_FALSE(site.lost[1].count);
    ASSERT_EQ(interval.payers.size(), 1u);
    EXPECT_EQ(interval.payers[0].spans, 100u);
}

TEST(Interval, DropsPayersThatDidNothing) {
    Recording interval = since(counted(100), counted(100));
    EXPECT_TRUE(interval.payers.empty());
}

TEST(Interval, FindsPayersByNameNotByNumber) {
    Recording earlier = counted(100);
    earlier.frame_names = {"h", "f", "g"};
    earlier.payers[0].frames = {1, 2};
    EXPECT_EQ(since(counted(300), earlier).payers[0].spans, 100u);
}

TEST(Callers, NearestFirstAndScaledToShares) {
    Recording recording = counted(100);
    recording.payers.push_back({0, 2, "two", {0, 2, 1}, 150, 0});
    model::Report report = make_report(recording);
    auto callers = hottest_callers(report, "f", 5, 4);
    ASSERT_EQ(callers.size(), 2u);
    EXPECT_EQ(callers[0].chain, "h < g");
    EXPECT_NEAR(callers[0].share, 0.75, 1e-9);
    EXPECT_EQ(callers[1].chain, "g");
    EXPECT_EQ(hottest_callers(report, "f", 1, 1)[0].chain, "h");
    EXPECT_TRUE(hottest_callers(report, "no such", 5, 4).empty());
}

}  // namespace
}  // namespace kcost
