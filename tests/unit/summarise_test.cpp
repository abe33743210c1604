#include "analyse/summarise.h"

#include <gtest/gtest.h>

#include "export/measured_text.h"
#include "golden.h"
#include "sample_measurement.h"

namespace kcost {
namespace {

// One session of the sample, with three bare repetitions and what disturbed them.
model::Measurement measured() {
    model::Measurement m = test::sample_measurement();
    m.workloads.pop_back();
    m.sessions.pop_back();
    auto& repetitions = m.sessions[0].repetitions;
    repetitions.resize(3);
    repetitions[0].values = {80};
    repetitions.push_back(test::sample_bare(0, 3, 82));
    repetitions.push_back(test::sample_bare(0, 4, 84));
    repetitions[4].proof = {"hits of the probe", 500, 1001};
    repetitions[4].noise = {{"other load", 0.1, "others used 10.0% of the CPUs' time"}};
    return m;
}

TEST(Summarise, TheLastSessionsFigures) {
    const model::MeasuredSummary summary = summarise(measured());
    ASSERT_EQ(summary.metrics.size(), 1u);
    EXPECT_EQ(summary.metrics[0].n, 3u);
    EXPECT_NEAR(summary.metrics[0].mean, 82, 1e-9);
    EXPECT_NEAR(summary.metrics[0].sd, 2, 1e-9);
    ASSERT_EQ(summary.targets.size(), 2u);
    const model::MeasuredTarget& flush = summary.targets[0];
    EXPECT_EQ(flush.calls, 20017u);
    EXPECT_EQ(flush.operations, 20000u);
    EXPECT_EQ(flush.mechanism, "fentry");
    ASSERT_TRUE(flush.ns);
    EXPECT_NEAR(*flush.ns, 1500, 1e-9);
    ASSERT_TRUE(flush.share);
    EXPECT_NEAR(*flush.share, 0.225, 1e-12);
    // Its calls are those that passed the filter, and its time is at the floor.
    EXPECT_EQ(summary.targets[1].calls, 1024u);
    EXPECT_TRUE(summary.targets[1].at_floor);
}

TEST(Summarise, TextForPeople) {
    test::expect_golden("measured.txt", render_measured_text(summarise(measured())));
}

TEST(Summarise, SessionsOfOneBootAreOneBoot) {
    model::Measurement m = measured();
    m.sessions.push_back(m.sessions[0]);
    m.sessions.push_back(test::sample_session("another"));
    m.sessions.push_back(test::sample_session(""));
    const model::MeasuredSummary summary = summarise(m);
    EXPECT_EQ(summary.boots, 3u);
    EXPECT_EQ(summary.sessions, 4u);
    EXPECT_EQ(summary.metrics[0].n, 0u);
    EXPECT_EQ(summarise({}).sessions, 0u);
}

// Boots 10% apart, repetitions 0.1%.
TEST(Summarise, SpreadBetweenBootsAndWithinThem) {
    model::Measurement m = measured();
    m.sessions.clear();
    for (const auto& [boot, level] : {std::pair{"a", 90.0}, {"b", 100.0}, {"c", 110.0}}) {
        model::MeasuredSession session = test::sample_session(boot);
        for (unsigned i = 0; i < 4; i++)
            session.repetitions.push_back(
                test::sample_bare(0, i, level * (1 + 0.001 * (i % 2 ? 1 : -1))));
        m.sessions.push_back(std::move(session));
    }
    const auto spreads = spreads_of(m);
    ASSERT_EQ(spreads.size(), 1u);
    EXPECT_EQ(spreads[0].missing, "");
    EXPECT_NEAR(spreads[0].boot_sd, 0.1, 0.01);
    EXPECT_NEAR(spreads[0].repetition_sd, 0.00115, 0.0001);
    EXPECT_NEAR(spreads[0].repetitions, 4, 1e-9);
    ASSERT_EQ(spreads[0].resolutions.size(), 3u);
    EXPECT_NEAR(spreads[0].resolutions[1].effect, 0.01, 1e-12);
    EXPECT_FALSE(spreads[0].resolutions[0].boots);
    const std::string text = render_spreads_text(spreads);
    EXPECT_NE(text.find("sd between boots      10."), std::string::npos) << text;
    EXPECT_NE(text.find("an effect of 0.300%   more than 1000 boots a side"), std::string::npos)
        << text;
}

TEST(Summarise, TooFewBootsForASpread) {
    const auto spreads = spreads_of(measured());
    ASSERT_EQ(spreads.size(), 1u);
    EXPECT_NE(spreads[0].missing.find("fewer than three boots"), std::string::npos);
    const std::string text = render_spreads_text(spreads);
    EXPECT_NE(text.find("fewer than three boots"), std::string::npos);
}

}  // namespace
}  // namespace kcost
