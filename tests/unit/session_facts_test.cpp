#include "cli/session_facts.h"

#include <gtest/gtest.h>

#include "sample_measurement.h"

namespace kcost {
namespace {

const model::Measurement kEarlier = test::sample_measurement();

std::string refusal(const model::KernelIdentity& kernel) {
    model::MeasuredSession session = test::sample_session("boot-3");
    session.kernel = kernel;
    const auto fits = check_same_kernel(kEarlier, session, "before.kcost");
    return fits ? "" : fits.error().what;
}

TEST(SessionFacts, OneFileIsOfOneKernel) {
    const model::KernelIdentity same = kEarlier.sessions[0].kernel;
    EXPECT_EQ(refusal(same), "");
    model::KernelIdentity other = same;
    other.release = "6.13.0";
    EXPECT_EQ(refusal(other),
              "cannot add to before.kcost: it is of another kernel than this one: its release is "
              "6.13.0, not 6.12.107");
    other = same;
    other.text_layout = "ffff";
    EXPECT_NE(refusal(other).find("its text is ffff, not 89abcdef01234567"), std::string::npos);
}

TEST(SessionFacts, WhatIsNotKnownDoesNotDiffer) {
    model::KernelIdentity kernel = kEarlier.sessions[0].kernel;
    kernel.build_id = "unknown";
    kernel.text_layout = "unknown";
    EXPECT_EQ(refusal(kernel), "");
}

TEST(SessionFacts, TheFirstSessionFitsAnyFile) {
    EXPECT_TRUE(check_same_kernel({}, test::sample_session("boot"), "before.kcost"));
}

TEST(SessionFacts, OfThisMachine) {
    const model::MeasuredSession session = read_session_facts("/no/such/folder");
    EXPECT_FALSE(session.kernel.release.empty());
    EXPECT_FALSE(session.kcost_version.empty());
    EXPECT_TRUE(session.patches.empty());
    EXPECT_NE(session.no_evidence.find("/no/such/folder"), std::string::npos)
        << session.no_evidence;
    EXPECT_FALSE(session.whole);
}

}  // namespace
}  // namespace kcost
