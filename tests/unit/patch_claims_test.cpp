#include "analyse/patch_claims.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/claims_json.h"
#include "export/claims_text.h"
#include "golden.h"
#include "patch/catalogue.h"

namespace kcost {
namespace {

model::GradedPatch graded(const std::string& slug) {
    const auto known = patch::read_one(KCOST_PATCHES, slug);
    EXPECT_TRUE(known) << known.error().what;
    return known ? grade_patch(known->patch) : model::GradedPatch{};
}

const model::GradedFigure& grade_of(const model::GradedPatch& patch, const std::string& name) {
    static const model::GradedFigure kNone;
    for (const auto& publication : patch.publications)
        for (std::size_t i = 0; i < publication.grades.size(); ++i)
            if (publication.publication.figures.at(i).name == name) return publication.grades[i];
    ADD_FAILURE() << "no figure " << name;
    return kNone;
}

TEST(PatchClaims, XolFlushNopAndPushStand) {
    const auto patch = graded("uprobe-xol-flush");
    for (const char* name : {"uprobe-nop", "uprobe-push", "uretprobe-nop", "uretprobe-push"})
        EXPECT_EQ(grade_of(patch, name).grade, "stands") << grade_of(patch, name).says;
}

TEST(PatchClaims, XolFlushControlsAreReportedAsTheyMoved) {
    const auto patch = graded("uprobe-xol-flush");
    EXPECT_EQ(grade_of(patch, "uprobe-ret").grade, "control");
    EXPECT_EQ(grade_of(patch, "uretprobe-ret").grade, "control");
    EXPECT_NE(grade_of(patch, "uprobe-ret").says.find("moved by 0.2%"), std::string::npos);
    EXPECT_NE(grade_of(patch, "uretprobe-ret").says.find("moved by 1.8%"), std::string::npos);
}

TEST(PatchClaims, WpFaultCannotBeJudgedBeyondSize) {
    const auto patch = graded("wp-fault-local-tlbi");
    EXPECT_EQ(grade_of(patch, "score").grade, "size only");
    EXPECT_DOUBLE_EQ(*grade_of(patch, "score").change, 0.406);
    EXPECT_EQ(grade_of(patch, "score").says, "+40.6%: no spread: cannot be judged beyond its size");
}

TEST(PatchClaims, RedisCannotBeJudgedBeyondSize) {
    const auto patch = graded("uretprobe-return-instance");
    const auto& set = grade_of(patch, "Redis SET with uretprobes");
    EXPECT_EQ(set.grade, "size only");
    EXPECT_NEAR(*set.change, 0.0224, 0.0001);
    EXPECT_NEAR(set.regained.value_or(0), 910.0 / 6406, 1e-9);
    EXPECT_EQ(grade_of(patch, "Redis GET with uretprobes").grade, "size only");
}

TEST(PatchClaims, SwitchContextIsNotDistinguishableFromZero) {
    const auto patch = graded("switch-context-this-cpu");
    const auto& build = grade_of(patch, "kernel build");
    EXPECT_EQ(build.grade, "not distinguishable");
    EXPECT_NE(build.says.find("-0.3%: not distinguishable from zero (t = 0.42"), std::string::npos)
        << build.says;
}

TEST(PatchClaims, Goldens) {
    for (const char* slug : {"uprobe-xol-flush", "uretprobe-return-instance", "wp-fault-local-tlbi",
                             "switch-context-this-cpu"})
        test::expect_golden("claims-" + std::string(slug) + ".txt",
                            render_claims_text(graded(slug)));
    test::expect_golden("claims.json", render_claims_json(graded("switch-context-this-cpu")));
}

TEST(PatchClaims, HostileTextIsEscaped) {
    model::Patch patch;
    patch.slug = "x";
    patch.title = "\x1b[2J";
    model::PublishedFigure figure;
    figure.name = "a\nb";
    figure.change = "+1%\x9b";
    figure.relative_change = 0.01;
    patch.published.push_back({"\x1b]0;m\x07", "s\r", "none", std::nullopt, {figure}});
    const std::string text = render_claims_text(grade_patch(patch));
    for (char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    EXPECT_EQ(text.find('\x9b'), std::string::npos);
    const auto json = nlohmann::json::parse(render_claims_json(grade_patch(patch)));
    EXPECT_EQ(json.at("published").at(0).at("figures").at(0).at("change"), "+1%\\x9b");
}

TEST(PatchClaims, NothingPublished) {
    EXPECT_NE(render_claims_text(grade_patch({})).find("no figure was published"),
              std::string::npos);
}

}  // namespace
}  // namespace kcost
