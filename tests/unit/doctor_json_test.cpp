#include "export/doctor_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kcost {
namespace {

Diagnosis sample() {
    Diagnosis diagnosis;
    diagnosis.kcost_version = "1.2.3";
    diagnosis.capabilities = {{"kprobes", Finding::State::kBad, "no \"PMU\"\n", "boot another"}};
    diagnosis.mechanisms = {{{"fentry", Finding::State::kOk, "works", ""}, 212},
                            {{"kprobe", Finding::State::kBad, "cannot load", ""}, 0}};
    diagnosis.kernel_mechanism = "fentry";
    diagnosis.emulated = "no";
    diagnosis.machine = {{"cpu.model", "a\xff z"}};
    return diagnosis;
}

TEST(DoctorJson, TellsWhatWasFound) {
    auto json = nlohmann::json::parse(render_doctor_json(sample()));
    EXPECT_EQ(json["capabilities"][0]["state"], "failed");
    EXPECT_EQ(json["capabilities"][0]["detail"], "no \"PMU\"\n");
    EXPECT_EQ(json["mechanisms"][0]["floor_ns"], 212);
    EXPECT_TRUE(json["mechanisms"][1]["floor_ns"].is_null());
    EXPECT_EQ(json["kernel_mechanism"], "fentry");
    EXPECT_EQ(json["emulated"], "no");
    EXPECT_EQ(json["machine"]["cpu.model"], "a\\xff z");
}

TEST(DoctorJson, WithoutASelfTestThereIsNone) {
    auto json = nlohmann::json::parse(render_doctor_json(sample()));
    EXPECT_TRUE(json["self_test"].is_null());
}

TEST(DoctorJson, SelfTestHasEachCheckWithItsState) {
    Diagnosis diagnosis = sample();
    diagnosis.kernel_mechanism.clear();
    diagnosis.self_test = {{{"getppid", Finding::State::kSkipped, "why", ""}}};
    auto json = nlohmann::json::parse(render_doctor_json(diagnosis));
    EXPECT_EQ(json["self_test"][0]["state"], "skipped");
    EXPECT_TRUE(json["kernel_mechanism"].is_null());
}

}  // namespace
}  // namespace kcost
