#include "analyse/confirm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analyse/confirm_looks.h"
#include "analyse/verdict.h"
#include "confirm_fixture.h"

namespace kcost {
namespace {

using model::Confirmation;
using model::Measurement;
using test::after_options;
using test::after_side;
using test::before_side;
using test::SideOptions;

Result<Confirmation> try_confirm(const Measurement& before, const Measurement& after,
                                 const model::Patch* patch, const Measurement* aa = nullptr) {
    return confirm({&before, &after, "before.kcost", "after.kcost", patch, aa, "aa.kcost"});
}

Confirmation confirmed(const Measurement& before, const Measurement& after) {
    const model::Patch patch = test::xol_flush();
    auto confirmation = try_confirm(before, after, &patch);
    EXPECT_TRUE(confirmation) << confirmation.error().what;
    return confirmation ? *confirmation : Confirmation{};
}

bool has(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const auto& line) { return line.find(part) != line.npos; });
}

TEST(Confirm, APatchAsItShouldBeIsConfirmed) {
    const Confirmation it = confirmed(before_side(), after_side());
    EXPECT_EQ(it.verdict, "confirmed") << ::testing::PrintToString(it.reasons);
    EXPECT_EQ(it.exit_status, 0);
    EXPECT_FALSE(it.kernel_change);
    EXPECT_TRUE(has(it.notes, "the releases differ in what their builder appended"));
    ASSERT_GE(it.effects.size(), 2u);
    EXPECT_TRUE(it.effects[0].judged);
    EXPECT_EQ(it.effects[0].before.events, 100'000u);
    EXPECT_EQ(it.effects[0].before.operations, 100'000u);
    EXPECT_EQ(it.effects[0].after.events, 0u);
    EXPECT_DOUBLE_EQ(it.effects[0].before.rate->value, 1);
    EXPECT_EQ(it.effects[0].ratio->value, 0);
    EXPECT_LT(it.effects[0].ratio->high, 0.001);
    EXPECT_FALSE(it.effects[1].judged) << "the whole target, for the reader";
    ASSERT_EQ(it.metrics.size(), 2u);
    EXPECT_EQ(it.metrics[0].state, "better");
    EXPECT_NEAR(it.metrics[0].ratio->value, 2.25, 0.01);
    EXPECT_NEAR(it.metrics[0].level, 1 - 0.05 / 3, 1e-9);
    EXPECT_TRUE(it.metrics[0].permutation_p);
    ASSERT_EQ(it.metrics[0].relative.size(), 1u);
    EXPECT_NEAR(it.metrics[0].relative[0].ratio->value, 2.25, 0.01);
    EXPECT_TRUE(it.metrics[1].control);
    EXPECT_TRUE(it.metrics[1].state.starts_with("equivalent within"));
    ASSERT_EQ(it.shares.size(), 1u);
    EXPECT_NEAR(it.shares[0].before->value, 0.3333, 0.001);
    EXPECT_TRUE(has(it.before.notes, "probing changed hits per second of uprobe-push by -30.0%"));
}

TEST(Confirm, EmulatedIsMechanismOnlyAtMost) {
    Measurement before = before_side(), after = after_side();
    for (auto* side : {&before, &after})
        for (auto& session : side->sessions) session.emulated = true;
    const Confirmation it = confirmed(before, after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_EQ(it.exit_status, 10);
    EXPECT_TRUE(it.emulated);
    EXPECT_EQ(it.metrics[0].state, "not judged: emulated");
    EXPECT_TRUE(has(it.reasons, "emulated"));
    EXPECT_TRUE(has(it.notes, "emulated"));
}

TEST(Confirm, OtherReleaseOrConfigIsAKernelChange) {
    Measurement after = after_side();
    for (auto& session : after.sessions) session.kernel.release = "6.18.15";
    EXPECT_EQ(confirmed(before_side(), after).verdict, "mechanism only");
    EXPECT_TRUE(confirmed(before_side(), after).kernel_change);
    after = after_side();
    test::set_fact(after, "kernel.config.digest", "fnv1a64:2");
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(it.kernel_change);
    EXPECT_TRUE(has(it.reasons, "kernel configuration: fnv1a64:1 before, fnv1a64:2 after"));
    EXPECT_EQ(it.metrics[0].state, "not compared");
    EXPECT_FALSE(it.metrics[0].ratio);
}

// The same kernel from two lots of boots.
Measurement again(SideOptions options, const char* name) {
    Measurement side = test::side_of(options);
    for (auto& session : side.sessions) session.boot_id = name + session.boot_id;
    return side;
}

TEST(Confirm, TheSameKernelTwiceIsNeverConfirmedAndNeverRegressed) {
    for (double rate : {0.1e6, 0.39e6, 0.4e6, 0.41e6, 0.9e6}) {
        for (std::uint64_t flushes : {0u, 20'000u, 40'000u}) {
            SideOptions options;
            options.rate = rate;
            options.flushes = flushes;
            const Confirmation it = confirmed(before_side(), again(options, "other-"));
            EXPECT_TRUE(it.same_kernel);
            EXPECT_NE(it.verdict, "confirmed") << rate << " " << flushes;
            EXPECT_NE(it.verdict, "regressed") << rate << " " << flushes;
        }
    }
    SideOptions alike;
    EXPECT_EQ(confirmed(before_side(), again(alike, "other-")).verdict, "no effect");
}

struct Differing {
    const char* key;
    const char* value;
    const char* says;
    const char* verdict;
};

TEST(Confirm, WhatDiffersIsNotComparableForWhatItTouches) {
    const std::vector<Differing> all = {
        {"cpu.midr", "0x481fd010", "CPU model (MIDR): 0x00000000410fd083 before, 0x481fd010 after",
         "mechanism only"},
        {"cpu.governor", "schedutil", "governor: performance before, schedutil after",
         "mechanism only"},
        {"memory.page_size", "65536", "page size: 4096 before, 65536 after", "not comparable"},
        {"architecture", "x86_64", "architecture: aarch64 before, x86_64 after", "not comparable"},
        {"memory.total_bytes", "4000000000", "memory: ", "mechanism only"},
        {"cpu.smt", "on", "SMT: notsupported before, on after", "mechanism only"}};
    for (const Differing& it : all) {
        Measurement after = after_side();
        test::set_fact(after, it.key, it.value);
        const Confirmation found = confirmed(before_side(), after);
        EXPECT_EQ(found.verdict, it.verdict) << it.key;
        EXPECT_TRUE(has(found.reasons, it.says)) << ::testing::PrintToString(found.reasons);
        EXPECT_FALSE(found.metrics[0].ratio) << it.key;
        EXPECT_TRUE(found.metrics[0].relative.empty()) << it.key;
    }
}

TEST(Confirm, WithoutCountsADifferentGovernorIsNotComparable) {
    Measurement before = before_side(), after = after_side();
    for (auto* side : {&before, &after})
        for (auto& session : side->sessions)
            for (auto& it : session.repetitions) it.operations = 0;
    test::set_fact(after, "cpu.governor", "schedutil");
    EXPECT_EQ(confirmed(before, after).exit_status, 14);
}

TEST(Confirm, AFactThatDiffersBetweenBootsOfASideDiffers) {
    Measurement after = after_side();
    for (auto& [key, value] : after.sessions[3].machine)
        if (key == "cpu.governor") value = "schedutil";
    EXPECT_TRUE(has(confirmed(before_side(), after).reasons,
                    "governor: performance before, performance and schedutil after"));
}

TEST(Confirm, AnUnknownFactIsSaidToBe) {
    Measurement after = after_side();
    test::set_fact(after, "cpu.governor", "unknown (no such file)");
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "confirmed");
    EXPECT_TRUE(has(it.notes, "not compared, since they are not known: governor"));
}

TEST(Confirm, OtherSettingsAreNotComparableAndNamed) {
    Measurement after = after_side();
    after.workloads[0].settings = {{"threads", "4"}, {"seed", "2"}};
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "not comparable");
    EXPECT_TRUE(has(it.reasons, "uprobe-push: its settings differ: threads: 1 before, 4 after"));
    after.workloads[0].settings = {{"threads", "1"}, {"seed", "2"}};
    EXPECT_EQ(confirmed(before_side(), after).verdict, "confirmed");
}

TEST(Confirm, MechanismsThatDifferAreComparedOnCountsAndRefusedOnTimes) {
    SideOptions options = after_options();
    options.mechanism = "kprobe";
    Confirmation it = confirmed(before_side(), test::side_of(options));
    EXPECT_EQ(it.verdict, "confirmed");
    EXPECT_EQ(it.effects[0].note, "counted by fentry before and kprobe after");

    model::Patch patch = test::xol_flush();
    patch.effects[0] = {};
    patch.effects[0].name = "time of a flush";
    patch.effects[0].target = "icache-flush";
    patch.effects[0].of = model::EffectOf::kTime;
    options.flushes = 10'000;
    const Measurement before = before_side();
    it = *try_confirm(before, test::side_of(options), &patch);
    EXPECT_FALSE(it.effects[0].judged);
    EXPECT_TRUE(
        has(it.reasons, "times are not compared: measured by fentry before and kprobe after"));
    options.mechanism = "fentry";
    it = *try_confirm(before, test::side_of(options), &patch);
    EXPECT_TRUE(it.effects[0].judged);
    EXPECT_DOUBLE_EQ(*it.effects[0].before_mean, 1000);
    EXPECT_DOUBLE_EQ(it.effects[0].ratio->value, 1);
}

// A side whose switches take `instructions` each, a little more or less by boot.
Measurement counted_side(SideOptions options, double instructions) {
    options.spread = 0.003;
    Measurement side = test::side_of(options);
    for (std::size_t boot = 0; boot < side.sessions.size(); ++boot)
        for (auto& it : side.sessions[boot].repetitions) {
            if (it.mode != model::Mode::kBare) continue;
            it.ticks = {{1'000'000'000, {1'000'000}}};
            it.kernel_instructions = static_cast<std::uint64_t>(
                1e6 * instructions * test::wobble(static_cast<unsigned>(boot), 0, 0.00001));
        }
    return side;
}

model::Patch of_instructions() {
    model::Patch patch = test::xol_flush();
    patch.effects = {{}};
    patch.effects[0].name = "instructions";
    patch.effects[0].of = model::EffectOf::kInstructions;
    return patch;
}

TEST(Confirm, InstructionsOfThousandsAreToldFromBoots) {
    const model::Patch patch = of_instructions();
    const Measurement before = counted_side({}, 2400);
    Confirmation it = *try_confirm(before, counted_side(after_options(), 2396), &patch);
    EXPECT_EQ(it.verdict, "confirmed");
    ASSERT_TRUE(it.effects[0].judged);
    EXPECT_NEAR(*it.effects[0].before_mean - *it.effects[0].after_mean, 4, 0.1);
    it = *try_confirm(before, counted_side(after_options(), 2400), &patch);
    EXPECT_TRUE(has(it.reasons, "instructions per hit in uprobe-push: +0.00%"));
    EXPECT_TRUE(has(it.reasons, "unchanged"));
    EXPECT_EQ(it.verdict, "undecided");  // it gained, but not by the patch
}

TEST(Confirm, InstructionsWithoutACounterOrOnAnotherCpuAreNotJudged) {
    const model::Patch patch = of_instructions();
    Measurement after = counted_side(after_options(), 2396);
    EXPECT_TRUE(has(try_confirm(before_side(), after, &patch)->reasons,
                    "before: no CPU's counter of instructions was to be had"));
    for (auto& session : after.sessions)
        for (auto& [key, value] : session.machine)
            if (key == "cpu.midr") value = "0x1";
    EXPECT_TRUE(has(try_confirm(counted_side({}, 2400), after, &patch)->reasons,
                    "these differ: CPU model"));
}

TEST(Confirm, ATimeAtTheFloorIsNoFigure) {
    model::Patch patch = test::xol_flush();
    patch.effects[0] = {};
    patch.effects[0].target = "icache-flush";
    patch.effects[0].of = model::EffectOf::kTime;
    Measurement before = before_side();
    for (auto& session : before.sessions)
        for (auto& it : session.repetitions)
            for (auto& target : it.targets) target.sites[0].floor_ns = 600;
    SideOptions options = after_options();
    options.flushes = 10'000;
    EXPECT_TRUE(has(try_confirm(before, test::side_of(options), &patch)->reasons, "no figure"));
}

TEST(Confirm, ATextThatSaysOtherwiseIsNotConfirmed) {
    SideOptions options = after_options();
    options.evidence = model::Evidence::kAbsent;
    EXPECT_EQ(confirmed(before_side(), test::side_of(options)).verdict, "undecided");
    Measurement after = after_side();
    for (auto& session : after.sessions) session.patches.clear();
    after.sessions[0].no_evidence = "cannot read /proc/kcore";
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_EQ(it.after.finding.why, "cannot read /proc/kcore");
}

TEST(Confirm, SessionsThatDisagreeOnTheTextTellNothing) {
    Measurement after = after_side();
    after.sessions[2].patches[0].finding.evidence = model::Evidence::kAbsent;
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_EQ(it.after.finding.why, "its sessions do not agree: present and absent");
}

TEST(Confirm, AnotherPatchThatDiffersCannotBeToldApart) {
    Measurement before = before_side(), after = after_side();
    model::PatchFinding finding;
    finding.evidence = model::Evidence::kAbsent;
    finding.form = "kmalloc per hit";
    for (auto& session : before.sessions)
        session.patches.push_back({"uretprobe-return-instance", finding});
    finding.evidence = model::Evidence::kSuperseded;
    finding.form = "";
    for (auto& session : after.sessions)
        session.patches.push_back({"uretprobe-return-instance", finding});
    const Confirmation it = confirmed(before, after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(it.kernel_change);
    EXPECT_TRUE(has(it.unattributed,
                    "uretprobe-return-instance is absent (kmalloc per hit) before "
                    "and superseded after"));
}

TEST(Confirm, BetweenStockKernelsNopIsNotAttributed) {
    Measurement before = before_side(), after = after_side();
    for (auto* side : {&before, &after}) side->workloads[0].name = "uprobe-nop";
    for (auto& session : after.sessions) session.kernel.release = "6.18.15";
    const Confirmation it = confirmed(before, after);
    EXPECT_NE(it.verdict, "mechanism only");
    EXPECT_NE(it.verdict, "confirmed");
    EXPECT_FALSE(it.effects[0].judged);
    EXPECT_TRUE(has(it.unattributed, "uprobe-nop: a probed nop is simulated since 6.13"));
    EXPECT_TRUE(has(it.reasons, "not attributed to the patch"));
}

TEST(Confirm, AMissingMetricIsSaid) {
    Measurement after = after_side();
    after.workloads[0].metrics[0].name = "another";
    Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "after does not have the metric hits per second"));
    after = after_side();
    after.sessions[1].repetitions[0].values.clear();
    it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "boot 2 has nan in repetition 1")) << it.metrics[0].missing;
    after = after_side();
    after.workloads[0].metrics.clear();
    EXPECT_EQ(confirmed(before_side(), after).verdict, "mechanism only");
    Measurement before = before_side();
    before.workloads[0].metrics.clear();
    EXPECT_TRUE(has(confirmed(before, after).reasons, "it has no metric"));
}

TEST(Confirm, AMissingWorkload) {
    Measurement after = after_side();
    after.workloads[1].name = "uprobe-other";
    Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "a control was not measured"));
    ASSERT_EQ(it.metrics.size(), 3u);
    EXPECT_EQ(it.metrics[1].missing, "it was not measured after");
}

TEST(Confirm, NothingInCommonIsNotComparable) {
    Measurement after = after_side();
    after.workloads[0].command = {"make", "-j16"};
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "not comparable");
    EXPECT_TRUE(has(it.reasons, "no work that the patch may change was measured on both sides"));
}

TEST(Confirm, AVendorsLevelOfPatchesIsAnotherKernel) {
    const auto scope = [](const char* one, const char* other) {
        Measurement before = before_side(), after = after_side();
        for (model::MeasuredSession& it : before.sessions) it.kernel.release = one;
        for (model::MeasuredSession& it : after.sessions) it.kernel.release = other;
        return confirmed(before, after).kernel_change ? "kernel change" : "patch";
    };
    EXPECT_STREQ(
        scope("5.10.0-216.0.0.115.oe2203sp4.aarch64", "5.10.0-153.12.0.92.oe2203sp2.aarch64"),
        "kernel change");
    EXPECT_STREQ(scope("5.14.0-427.13.1.el9", "5.14.0-427.16.1.el9"), "kernel change");
    EXPECT_STREQ(scope("6.1.0-57-cloud-arm64", "6.1.0-58-cloud-arm64"), "kernel change");
    EXPECT_STREQ(scope("6.1.0-57-base", "6.1.0-57-patched"), "patch");
    EXPECT_STREQ(scope("6.12.0-rc1", "6.12.0-rc2"), "kernel change");
    EXPECT_STREQ(scope("6.12.0-rc1-base", "6.12.0-rc1+"), "patch");
}

TEST(Confirm, ASessionThatKnowsLessHidesNoDifference) {
    Measurement before = before_side(), after = after_side();
    const auto set = [](model::MeasuredSession& session, const char* value) {
        for (auto& [key, it] : session.machine)
            if (key == "cpu.governor") it = value;
    };
    set(before.sessions[0], "unknown");
    for (model::MeasuredSession& it : after.sessions) set(it, "schedutil");
    EXPECT_TRUE(
        has(confirmed(before, after).reasons, "governor: performance before, schedutil after"));
}

TEST(Confirm, AShareThatIsNotToldIsNotZero) {
    Measurement after = after_side();
    for (model::MeasuredSession& session : after.sessions)
        for (model::Repetition& it : session.repetitions)
            if (it.sampled) {
                it.sampled->in_targets.clear();
                it.sampled->event = "cpu-clock";
                it.sampled->masked_is_late = true;
            }
    const Confirmation it = confirmed(before_side(), after);
    ASSERT_EQ(it.shares.size(), 1u);
    EXPECT_TRUE(it.shares[0].before);
    EXPECT_FALSE(it.shares[0].after);
    EXPECT_TRUE(has(it.notes, "shares of different things: cycles before, cpu-clock after"));
    EXPECT_TRUE(has(it.notes, "interrupts masked"));
}

TEST(Confirm, NoSiteIsNoFallWhereTheTextDoesNotTell) {
    model::Patch patch = test::xol_flush();
    patch.effects = {{}};
    patch.effects[0].name = "flushes";
    patch.effects[0].target = "icache-flush";
    patch.effects[0].in = {"sync_icache_aliases"};
    Measurement after = after_side();
    for (model::MeasuredSession& session : after.sessions)
        for (model::Repetition& it : session.repetitions)
            for (model::Target& target : it.targets) target.sites[0].function = "another";
    const Measurement before = before_side();
    EXPECT_TRUE(try_confirm(before, after, &patch)->effects[0].judged);
    for (model::MeasuredSession& session : after.sessions)
        for (model::PatchEvidence& it : session.patches)
            it.finding.evidence = model::Evidence::kCannotTell;
    EXPECT_TRUE(has(try_confirm(before, after, &patch)->reasons,
                    "after: icache-flush has no site in sync_icache_aliases"));
}

TEST(Confirm, OneBootASideConfirmsWhatIsLargeEnough) {
    SideOptions before, after = after_options();
    before.boots = after.boots = 1;
    EXPECT_EQ(confirmed(test::side_of(before), test::side_of(after)).verdict, "confirmed");
    after.rate = before.rate * 1.05;
    const Confirmation it = confirmed(test::side_of(before), test::side_of(after));
    EXPECT_EQ(it.verdict, "undecided");
    EXPECT_TRUE(it.boots_needed);
    EXPECT_TRUE(has(it.reasons, "fewer than three boots on a side: a spread of boots was added"));
}

TEST(Confirm, AnAaOfThisMachineSaysWhatBootsDiffer) {
    SideOptions before, after = after_options(), many;
    before.boots = after.boots = 1;
    after.rate = before.rate * 1.05;
    many.boots = 10;
    const Measurement one = test::side_of(before), other = test::side_of(after);
    const Measurement aa = test::side_of(many);
    const model::Patch patch = test::xol_flush();
    const auto it = try_confirm(one, other, &patch, &aa);
    ASSERT_TRUE(it);
    EXPECT_EQ(it->metrics[0].state, "better") << ::testing::PrintToString(it->reasons);
    EXPECT_TRUE(has(it->reasons, "from this machine's A/A"));
}

TEST(Confirm, AnAaOfOtherWorkOrAnotherMachineDoesNotServe) {
    SideOptions before, after = after_options(), many;
    before.boots = after.boots = 1;
    many.boots = 10;
    const Measurement one = test::side_of(before), other = test::side_of(after);
    const model::Patch patch = test::xol_flush();
    Measurement aa = test::side_of(many);
    aa.workloads[0].settings = {{"threads", "64"}};
    EXPECT_TRUE(has(try_confirm(one, other, &patch, &aa)->reasons, "was added, assumed"));
    aa = test::side_of(many);
    for (model::MeasuredSession& session : aa.sessions)
        for (auto& [key, value] : session.machine)
            if (key == "cpu.midr") value = "0x1";
    const auto it = try_confirm(one, other, &patch, &aa);
    EXPECT_TRUE(has(it->reasons, "was added, assumed"));
    EXPECT_TRUE(
        has(it->notes, "the A/A does not serve, since it is of another machine: CPU model"));
    aa.sessions[3].kernel.release = "6.18";
    EXPECT_FALSE(try_confirm(one, other, &patch, &aa));
}

TEST(Confirm, OneBootWithOneRepetitionIsRefused) {
    SideOptions before, after = after_options();
    before.boots = after.boots = before.repetitions = after.repetitions = 1;
    const Confirmation it = confirmed(test::side_of(before), test::side_of(after));
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "one boot with one repetition"));
}

TEST(Confirm, TwoBootsAndUnequalNumbers) {
    SideOptions before, after = after_options();
    before.boots = 2;
    after.boots = 7;
    EXPECT_EQ(confirmed(test::side_of(before), test::side_of(after)).verdict, "confirmed");
    before.boots = 5;
    before.repetitions = 1;
    EXPECT_EQ(confirmed(test::side_of(before), test::side_of(after)).verdict, "confirmed");
}

TEST(Confirm, ZerosAreNoRates) {
    SideOptions after = after_options();
    after.rate = 0;
    const Confirmation it = confirmed(before_side(), test::side_of(after));
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "a ratio needs numbers above 0"));
}

TEST(Confirm, IdenticalValues) {
    SideOptions before, after = after_options();
    before.spread = after.spread = 0;
    EXPECT_EQ(confirmed(test::side_of(before), test::side_of(after)).verdict, "confirmed");
    after.rate = before.rate;
    const Confirmation it = confirmed(test::side_of(before), test::side_of(after));
    EXPECT_NE(it.verdict, "confirmed");
    EXPECT_EQ(it.metrics[0].ratio->value, 1);
    EXPECT_TRUE(has(it.reasons, "no boot differs from another of its side"));
}

TEST(Confirm, UnknownBootsAreOneBoot) {
    Measurement before = before_side();
    for (auto& session : before.sessions) session.boot_id.clear();
    const Confirmation it = confirmed(before, after_side());
    EXPECT_EQ(it.before.boots, 1u);
    EXPECT_EQ(it.metrics[0].before.boots.size(), 1u);
    EXPECT_EQ(it.metrics[0].before.boots[0].values.size(), 20u);
}

TEST(Confirm, WorkThatSomebodyElseCountedOtherwiseIsNotJudged) {
    Measurement after = after_side();
    after.sessions[0].repetitions[0].proof = {"hits that the program saw", 500, 1000};
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_TRUE(has(it.reasons, "the second count does not agree in 1 of 20 repetitions"));
}

TEST(Confirm, LossesAreNoFall) {
    Measurement after = after_side();
    const auto lose = [&](std::optional<std::uint64_t> count) {
        for (auto& session : after.sessions)
            for (auto& it : session.repetitions)
                for (auto& target : it.targets)
                    target.sites[0].lost = {{"recursion", count, model::Loss::Kind::kUnseen}};
    };
    lose(19'900);
    Confirmation it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "undecided") << "all of the fall may be lost hits";
    EXPECT_EQ(it.effects[0].after.lost, 99'500u);
    lose(std::nullopt);
    it = confirmed(before_side(), after);
    EXPECT_EQ(it.verdict, "undecided");
    EXPECT_TRUE(has(it.reasons, "does not tell how many hits were lost"));
    lose(2);
    EXPECT_EQ(confirmed(before_side(), after).verdict, "confirmed");
}

TEST(Confirm, AWorkloadThatTheMechanismDoesNotTouchHasNoEffect) {
    SideOptions before, after = after_options();
    after.flushes = before.flushes;
    after.rate = before.rate;
    EXPECT_EQ(confirmed(test::side_of(before), test::side_of(after)).verdict, "no effect");
}

TEST(Confirm, ASlowerWorkloadIsARegression) {
    SideOptions after = after_options();
    after.rate = 0.3e6;
    EXPECT_EQ(confirmed(before_side(), test::side_of(after)).exit_status, 12);
}

TEST(Confirm, AControlThatMovedCaps) {
    SideOptions after = after_options();
    after.control_rate = 3e6;
    const Confirmation it = confirmed(before_side(), test::side_of(after));
    EXPECT_EQ(it.verdict, "mechanism only");
    EXPECT_EQ(it.metrics[1].state, "moved");
}

TEST(Confirm, WithoutAPatchNothingIsAttributed) {
    const Measurement before = before_side(), after = after_side();
    const auto it = try_confirm(before, after, nullptr);
    ASSERT_TRUE(it);
    EXPECT_EQ(it->verdict, "undecided");
    EXPECT_FALSE(it->patch);
    EXPECT_FALSE(it->effects[0].judged);
    EXPECT_TRUE(has(it->notes, "no patch is named"));
}

TEST(Confirm, LooksAreCountedAndAFourthIsRefused) {
    Measurement before = before_side(), after = after_side();
    EXPECT_EQ(number_of_look(before, after), 1u);
    const auto look = [&](std::uint64_t repetitions, const char* other) {
        before.looks.push_back({"", repetitions, "9", other});
    };
    look(1, "build-after");
    look(2, "build-another");
    EXPECT_EQ(number_of_look(before, after), 2u);
    look(2, "build-after");
    EXPECT_EQ(confirmed(before, after).look, 3u);
    look(3, "build-after");
    const model::Patch patch = test::xol_flush();
    const auto refused = try_confirm(before, after, &patch);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("at look 4"), std::string::npos);
}

TEST(Confirm, TheSameLookAgainIsNotAnother) {
    Measurement before = before_side(), after = after_side();
    const auto look = look_at(before, after, "2026-11-30T13:00:00Z");
    EXPECT_FALSE(has_look(before, look));
    before.looks.push_back(look);
    after.looks.push_back(look_at(after, before, ""));
    EXPECT_TRUE(has_look(before, look_at(before, after, "later")));
    EXPECT_EQ(number_of_look(before, after), 1u);
    after.sessions.pop_back();
    EXPECT_EQ(number_of_look(before, after), 2u);
}

TEST(Confirm, ASideThatWasMeasuredAnewIsAnotherLook) {
    Measurement before = before_side(), after = after_side();
    for (unsigned look = 1; look <= 3; ++look) {
        for (model::MeasuredSession& session : after.sessions) session.boot_id += " anew";
        EXPECT_EQ(number_of_look(before, after), look);
        before.looks.push_back(look_at(before, after, ""));
    }
}

TEST(Confirm, RefusesWhatIsNoSide) {
    const model::Patch patch = test::xol_flush();
    Measurement after = after_side();
    after.sessions[1].kernel.release = "6.18";
    const auto several = try_confirm(before_side(), after, &patch);
    ASSERT_FALSE(several);
    EXPECT_EQ(several.error().what,
              "cannot confirm by after.kcost: its sessions ran on several kernels: 6.12.95-after "
              "and 6.18");
    after.sessions.clear();
    const auto none = try_confirm(before_side(), after, &patch);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().what, "cannot confirm by after.kcost: no session is in it");
}

TEST(Confirm, ThePatchOfBoth) {
    Measurement before = before_side(), after = after_side();
    EXPECT_EQ(*patch_of(before, after), "uprobe-xol-flush");
    after.patch.clear();
    EXPECT_EQ(*patch_of(before, after), "uprobe-xol-flush");
    EXPECT_EQ(*patch_of(after, before), "uprobe-xol-flush");
    after.patch = "wp-fault-local-tlbi";
    EXPECT_FALSE(patch_of(before, after));
}

TEST(Confirm, FailuresAndNoiseAreTold) {
    Measurement after = after_side();
    after.sessions[0].failures = {{0, model::Mode::kBare, 6, "it was killed", ""}};
    after.sessions[0].whole = false;
    after.sessions[0].ended = "cannot go on";
    after.sessions[1].noise = {{"thermal", 0.1, "the CPU was throttled"}};
    after.sessions[1].repetitions[0].noise = {{"thermal", 0.3, "the CPU was throttled more"}};
    const Confirmation it = confirmed(before_side(), after);
    EXPECT_TRUE(has(it.after.notes, "uprobe-push, bare, repetition 7 failed: it was killed"));
    EXPECT_TRUE(has(it.after.notes, "is not whole: cannot go on"));
    EXPECT_TRUE(has(it.after.notes, "noise, thermal, 2 times: the CPU was throttled more"));
}

TEST(Confirm, DriftIsTold) {
    SideOptions options = after_options();
    options.repetitions = 12;
    Measurement after = test::side_of(options);
    double by = 1;
    for (auto& it : after.sessions[0].repetitions)
        if (it.workload == 0 && it.mode == model::Mode::kBare) it.values[0] *= by *= 1.01;
    EXPECT_TRUE(has(confirmed(before_side(), after).notes, "uprobe-push drifted in the session"));
}

}  // namespace
}  // namespace kcost
