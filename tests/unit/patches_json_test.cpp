#include "export/patches_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "patch/catalogue.h"
#include "patch/report.h"
#include "patch_subject.h"

namespace kcost {
namespace {

nlohmann::json json_of(const std::string& kernel_cpu, const model::Machine& machine,
                       const model::AskedKernel& kernel = {}) {
    const auto known = patch::read_catalogue(KCOST_PATCHES);
    return nlohmann::json::parse(render_patches_json(
        kernel, patch::report(*known, patch::FixtureKernel(kernel_cpu).subject(), machine)));
}

TEST(PatchesJson, EveryPatchWithItsEvidence) {
    const auto json = json_of("6.12-max", {});
    ASSERT_EQ(json["patches"].size(), 4u);
    const auto& xol = json["patches"][1];
    EXPECT_EQ(xol["slug"], "uprobe-xol-flush");
    EXPECT_EQ(xol["evidence"], "absent");
    EXPECT_TRUE(xol["form"].is_null());
    EXPECT_EQ(xol["upstream"]["commit"], "bdf94836c22a");
    EXPECT_TRUE(xol["superseded_by"].is_null());
    EXPECT_EQ(xol["facts"][1]["value"], "no");
    EXPECT_EQ(xol["facts"][1]["instructions"][0]["place"], "arch_uprobe_copy_ixol+0x64");
    EXPECT_EQ(xol["facts"][1]["instructions"][0]["word"].get<std::string>().size(), 8u);
    const auto& push = xol["published"][0]["figures"][1];
    EXPECT_EQ(push["name"], "uprobe-push");
    EXPECT_DOUBLE_EQ(push["before"]["spread"], 0.005);
    EXPECT_EQ(push["after"]["decimals"], 3);
    EXPECT_EQ(json["patches"][2]["form"], "kmalloc per hit");
}

TEST(PatchesJson, WhereAPatchIsMootOrWorthMore) {
    const model::Machine modern = {{"cpu.idc", "yes"},
                                   {"cpu.dic", "yes"},
                                   {"cpu.online", "64"},
                                   {"cpu.tlbi_repeat", "yes"},
                                   {"cpu.icache", "PIPT"}};
    auto json = json_of("6.12-neoverse-n1", modern);
    EXPECT_EQ(json["patches"][1]["moot_here"].size(), 1u);
    EXPECT_EQ(json["patches"][3]["moot_here"].size(), 0u);
    EXPECT_EQ(json["patches"][3]["worth_more_here"].size(), 1u);
    const model::Machine small = {{"cpu.idc", "yes"}, {"cpu.dic", "no"}, {"cpu.online", "1"}};
    json = json_of("6.12-max", small);
    EXPECT_EQ(json["patches"][1]["moot_here"].size(), 0u);
    EXPECT_EQ(json["patches"][3]["moot_here"].size(), 1u);
}

TEST(PatchesJson, OfAFileWhatAMachineMakesOfItIsNotKnown) {
    const auto json = json_of("6.12-max", {}, {"/boot/Image", "6.12.1"});
    EXPECT_EQ(json["image"], "/boot/Image");
    EXPECT_EQ(json["release"], "6.12.1");
    EXPECT_TRUE(json["patches"][3]["moot_here"].is_null());
    EXPECT_TRUE(json["patches"][3]["worth_more_here"].is_null());
    EXPECT_TRUE(json_of("6.12-max", {})["image"].is_null());
}

}  // namespace
}  // namespace kcost
