#include "analyse/claims.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kcost {
namespace {

PrintedFigure printed(double value, unsigned decimals, std::optional<double> spread = {}) {
    return {value, decimals, spread};
}

Claim bench(const char* name, PrintedFigure before, PrintedFigure after) {
    Claim claim;
    claim.name = name;
    claim.before = before;
    claim.after = after;
    claim.spread = SpreadKind::kSd;
    return claim;
}

bool says(const GradedClaim& graded, const std::string& text) {
    return graded.says.find(text) != std::string::npos;
}

TEST(Claims, XolFlushStands) {
    const auto nop = grade_claim(bench("nop", printed(0.418, 3, 0.001), printed(0.926, 3, 0.000)));
    const auto push =
        grade_claim(bench("push", printed(0.411, 3, 0.005), printed(0.910, 3, 0.001)));
    for (const auto& graded : {nop, push}) {
        EXPECT_EQ(graded.grade, Grade::kStands) << graded.says;
        ASSERT_EQ(graded.readings.size(), 2u);  // n is not told
        for (const Reading& reading : graded.readings) EXPECT_LT(reading.p, 0.05) << reading.what;
    }
    EXPECT_TRUE(says(nop, "+121.5%: stands")) << nop.says;
    EXPECT_TRUE(says(push, "+121.4%: stands")) << push.says;
}

TEST(Claims, ControlsAreReportedAsTheyMoved) {
    Claim ret = bench("uprobe-ret", printed(2.052, 3, 0.002), printed(2.056, 3, 0.001));
    Claim uret = bench("uretprobe-ret", printed(1.074, 3, 0.001), printed(1.093, 3, 0.001));
    ret.control = uret.control = true;
    EXPECT_EQ(grade_claim(ret).grade, Grade::kControl);
    EXPECT_TRUE(says(grade_claim(ret), "a control that moved by 0.2%: within its ±"));
    EXPECT_EQ(grade_claim(uret).grade, Grade::kControl);
    EXPECT_TRUE(says(grade_claim(uret), "a control that moved by 1.8%"));
    uret.n = 10;
    EXPECT_TRUE(says(grade_claim(uret), "moved by 1.8%: beyond its ±")) << grade_claim(uret).says;
}

TEST(Claims, WithoutSpreadTheyCannotBeJudgedBeyondSize) {
    Claim wp_fault;
    wp_fault.change = 0.406;
    EXPECT_EQ(grade_claim(wp_fault).grade, Grade::kSizeOnly);
    EXPECT_EQ(grade_claim(wp_fault).says, "+40.6%: no spread: cannot be judged beyond its size");
    const auto redis = grade_claim(bench("SET", printed(40619, 0), printed(41529, 0)));
    EXPECT_EQ(redis.grade, Grade::kSizeOnly);
    EXPECT_EQ(redis.says, "+2.2%: no spread: cannot be judged beyond its size");
    EXPECT_TRUE(redis.readings.empty());
    EXPECT_EQ(grade_claim(bench("one", printed(1, 0, 0.1), printed(2, 0))).grade, Grade::kSizeOnly);
    EXPECT_EQ(grade_claim({}).says, "no figure: no spread: cannot be judged beyond its size");
}

TEST(Claims, SwitchContextIsNotDistinguishableFromZero) {
    Claim claim = bench("build", printed(298.62, 2, 1.86), printed(297.734, 3, 0.954));
    claim.spread = SpreadKind::kSe;
    claim.n = 10;
    claim.higher_is_better = false;
    const auto graded = grade_claim(claim);
    EXPECT_EQ(graded.grade, Grade::kNotDistinguishable);
    ASSERT_EQ(graded.readings.size(), 1u);
    EXPECT_NEAR(graded.readings[0].t, -0.42, 0.005);
    EXPECT_NEAR(graded.readings[0].p, 0.68, 0.01);
    EXPECT_NEAR(graded.readings[0].df, 13.4, 0.1);
    EXPECT_TRUE(says(graded, "-0.3%: not distinguishable from zero (t = 0.42")) << graded.says;
}

TEST(Claims, ZeroSpreadIsUpToHalfAUnit) {
    Claim claim = bench("coarse", printed(1.0, 1, 0.0), printed(1.1, 1, 0.0));
    claim.spread = SpreadKind::kSe;
    claim.n = 10;
    const Reading reading = grade_claim(claim).readings.at(0);
    const double error = 0.05 * 0.05 + 0.01 / 12;
    EXPECT_NEAR(reading.t, std::log(1.1) / std::sqrt(error + error / 1.21), 1e-9);
    EXPECT_EQ(grade_claim(claim).grade, Grade::kNotDistinguishable);
}

TEST(Claims, ReadingsOfWhatIsNotTold) {
    Claim claim = bench("x", printed(1.00, 2, 0.01), printed(1.10, 2, 0.01));
    const auto count = [&](SpreadKind kind, std::optional<unsigned> n) {
        claim.spread = kind;
        claim.n = n;
        return grade_claim(claim).readings.size();
    };
    EXPECT_EQ(count(SpreadKind::kSd, 5), 1u);
    EXPECT_EQ(count(SpreadKind::kSe, 5), 1u);
    EXPECT_EQ(count(SpreadKind::kUnknown, 5), 2u);
    EXPECT_EQ(count(SpreadKind::kSd, {}), 2u);
    EXPECT_EQ(count(SpreadKind::kSe, {}), 2u);
    EXPECT_EQ(count(SpreadKind::kUnknown, {}), 3u);
    EXPECT_EQ(count(SpreadKind::kSd, 1), 2u);  // one value has no sd
    claim.n = 16;
    claim.spread = SpreadKind::kSd;
    const double as_sd = grade_claim(claim).readings[0].t;
    claim.spread = SpreadKind::kSe;
    EXPECT_GT(as_sd, 3 * grade_claim(claim).readings[0].t);
}

TEST(Claims, TheWeakestReadingGrades) {
    Claim claim = bench("x", printed(1.000, 3, 0.010), printed(1.040, 3, 0.010));
    claim.spread = SpreadKind::kSe;
    const auto graded = grade_claim(claim);
    EXPECT_GT(graded.readings.at(0).p, 0.05);  // of two values
    EXPECT_LT(graded.readings.at(1).p, 0.05);  // of many
    EXPECT_EQ(graded.grade, Grade::kNotDistinguishable);
    EXPECT_TRUE(says(graded, "if ± is a standard error, n = 2")) << graded.says;
    claim.n = 20;
    EXPECT_EQ(grade_claim(claim).grade, Grade::kStands);
}

TEST(Claims, ALossIsNoClaimThatStands) {
    Claim claim = bench("x", printed(2.000, 3, 0.001), printed(1.000, 3, 0.001));
    EXPECT_EQ(grade_claim(claim).grade, Grade::kWorse);
    claim.higher_is_better = false;
    EXPECT_EQ(grade_claim(claim).grade, Grade::kStands);
}

TEST(Claims, ValuesWithoutALogarithm) {
    EXPECT_EQ(grade_claim(bench("x", printed(1, 0, 0.1), printed(0, 0, 0.1))).grade,
              Grade::kSizeOnly);
    EXPECT_EQ(grade_claim(bench("x", printed(0, 0, 0.1), printed(1, 0, 0.1))).change, std::nullopt);
    EXPECT_EQ(grade_claim(bench("x", printed(1, 0, -1), printed(1, 0, 1))).grade, Grade::kSizeOnly);
}

}  // namespace
}  // namespace kcost
