#include "model/ticks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/ticks_json.h"
#include "export/ticks_text.h"

namespace kcost {
namespace {

using model::is_doubtful;
using model::Ticks;

constexpr std::uint64_t kSecond_ns = 1'000'000'000;

Ticks sample() {
    Ticks ticks;
    ticks.workload = "uprobe-push";
    ticks.unit = "hits";
    ticks.members_are = "threads";
    ticks.members = 2;
    ticks.cpus = {1, 5};
    ticks.seed = 7;
    ticks.warm_up_ticks = 2;
    ticks.asked_ticks = 3;
    ticks.ticks = {{kSecond_ns, {400'000, 500'000}},
                   {kSecond_ns, {410'000, 500'000}},
                   {2 * kSecond_ns, {840'000, 1'000'000}}};
    ticks.proof = {"hits that the program saw", 5'000'000, 5'000'000};
    ticks.notes = {"first instruction of f: 0xa9bf7bfd"};
    return ticks;
}

TEST(Ticks, RatesAreByTheTimeThatATickTook) {
    const model::Rate rate = rate_of(sample());
    EXPECT_EQ(rate.n, 3u);
    EXPECT_DOUBLE_EQ(rate.mean_per_s, 910'000);
    EXPECT_DOUBLE_EQ(rate.sd_per_s, 10'000);  // of 900, 910 and 920 thousand, over n - 1
    EXPECT_DOUBLE_EQ(rate_of_cpu(sample(), 0).mean_per_s, 410'000);
    EXPECT_DOUBLE_EQ(rate_of_cpu(sample(), 1).sd_per_s, 0);
}

TEST(Ticks, OneOrNoneHasNoSpread) {
    Ticks ticks = sample();
    ticks.ticks.resize(1);
    EXPECT_EQ(rate_of(ticks).sd_per_s, 0);
    EXPECT_EQ(format_rate(rate_of(ticks)), "0.900 M/s");
    ticks.ticks.clear();
    EXPECT_EQ(rate_of(ticks).mean_per_s, 0);
    EXPECT_EQ(rate_of(ticks).n, 0u);
}

TEST(Ticks, AProofThatIsOneInAHundredOffIsDoubtful) {
    EXPECT_FALSE(is_doubtful({"", 0, 100}));
    EXPECT_FALSE(is_doubtful({"faults", 101, 100}));
    EXPECT_TRUE(is_doubtful({"faults", 102, 100}));
    EXPECT_TRUE(is_doubtful({"faults", 98, 100}));
}

TEST(TicksText, TellsRateSpreadAndProof) {
    EXPECT_EQ(render_ticks_text(sample(), {{"emulated", "no"}}),
              "uprobe-push: 0.910 ± 0.010 M/s hits\n"
              "  cpu 1    0.410 ± 0.010 M/s\n"
              "  cpu 5    0.500 ± 0.000 M/s\n"
              "\n"
              "- ± is the sample standard deviation of 3 ticks of 1 s, not the error of their "
              "mean; 2 s of warm-up before\n"
              "- 2 threads, pinned; seed 7\n"
              "- 5000000 hits that the program saw for 5000000 hits, warm-up included\n"
              "- first instruction of f: 0xa9bf7bfd\n");
}

TEST(TicksText, SaysWhatIsToBeDistrusted) {
    Ticks ticks = sample();
    ticks.ticks.resize(2);
    ticks.members = 1;
    ticks.members_are = "processes";
    ticks.footprint_bytes = 1 << 30;
    ticks.proof.counted = 4'000'000;
    const std::string text = render_ticks_text(ticks, {{"emulated", "yes"}});
    for (const char* said : {"interrupted, 3 asked for", "1 process, pinned", "footprint 1.00 GiB",
                             "DOUBTFUL: 4000000", "time is not true: emulated (yes)"}) {
        EXPECT_NE(text.find(said), std::string::npos) << said << " in " << text;
    }
}

TEST(TicksText, SlowWorkHasMoreDigits) {
    EXPECT_EQ(format_rate({2'055'600, 1'000, 5}), "2.056 ± 0.001 M/s");
    EXPECT_EQ(format_rate({41'529, 12, 5}), "0.041529 ± 0.000012 M/s");
}

TEST(TicksJson, HasEveryRawTick) {
    const auto json = nlohmann::json::parse(render_ticks_json(sample(), {{"cpu.model", "a\xff"}}));
    EXPECT_EQ(json["ticks"].size(), 3u);
    EXPECT_EQ(json["ticks"][2]["units"]["5"], 1'000'000);
    EXPECT_EQ(json["ticks"][2]["elapsed_ns"], 2 * kSecond_ns);
    EXPECT_EQ(json["rate"]["spread"], "sd");
    EXPECT_DOUBLE_EQ(json["rate"]["sd_per_s"], 10'000);
    EXPECT_DOUBLE_EQ(json["rate_by_cpu"]["1"]["mean_per_s"], 410'000);
    EXPECT_EQ(json["proof"]["counted"], 5'000'000);
    EXPECT_FALSE(json["proof"]["doubtful"]);
    EXPECT_TRUE(json["footprint_bytes"].is_null());
    EXPECT_EQ(json["machine"]["cpu.model"], "a\\xff");
}

TEST(TicksJson, WhatIsNotKnownIsNull) {
    Ticks ticks = sample();
    ticks.ticks.resize(1);
    ticks.proof = {};
    const auto json = nlohmann::json::parse(render_ticks_json(ticks, {}));
    EXPECT_TRUE(json["rate"]["sd_per_s"].is_null());
    EXPECT_TRUE(json["proof"].is_null());
}

}  // namespace
}  // namespace kcost
