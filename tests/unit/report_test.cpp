#include "analyse/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "sample.h"

namespace kcost {
namespace {

using model::Recording;
using model::ReportRow;

bool has_note(const model::Report& report, const std::string& note) {
    return std::count(report.notes.begin(), report.notes.end(), note) == 1;
}

TEST(Report, RowsOfATargetWithOneSiteAndSplits) {
    const Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    const ReportRow& row = report.rows.at(0);
    EXPECT_EQ(row.name, "icache-flush");
    EXPECT_EQ(row.mechanism, "fentry");
    EXPECT_EQ(row.calls, 20017u);
    EXPECT_DOUBLE_EQ(row.calls_per_s, 2001.7);
    EXPECT_DOUBLE_EQ(row.mean_ns, 1500);
    EXPECT_DOUBLE_EQ(row.share, 20003.0 * 1500 / 20e9);
    EXPECT_FALSE(row.cpu_share);
    EXPECT_FALSE(row.at_floor);
    EXPECT_EQ(row.p50_ns, 1408 + 128 * 0.5);  // in the middle of its bin
    EXPECT_EQ(row.p99_ns, 1500);              // not above the greatest span
    EXPECT_EQ(row.lost, 15u);
    EXPECT_TRUE(row.lost_unknown);
    EXPECT_FALSE(row.lower_bound);

    EXPECT_EQ(report.rows.at(1).name, "length=4 arch_uprobe_copy_ixol+0x64");  // most calls first
    EXPECT_EQ(report.rows.at(1).depth, 1u);
    EXPECT_EQ(report.rows.at(1).mechanism, "");
    EXPECT_EQ(report.rows.at(2).name, "length=65536 __sync_icache_dcache+0x50");
}

TEST(Report, CallsOfATargetFilteredByResultAreSpans) {
    const Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    const ReportRow& row = report.rows.at(3);
    EXPECT_EQ(row.calls, 1024u);
    EXPECT_TRUE(row.cpu_share);
    EXPECT_TRUE(row.at_floor);
    EXPECT_TRUE(has_note(report,
                         "page-reuse,within=do_wp_page (__ptep_set_access_flags): calls that had "
                         "not returned at the end, not counted: 1"));
}

TEST(Report, SitesOfATargetAndWhatWasNotMeasured) {
    const Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    const ReportRow& row = report.rows.at(4);
    EXPECT_EQ(row.name, "uretprobe-alloc");
    EXPECT_EQ(row.mechanism, "fentry, kprobe");
    EXPECT_EQ(row.calls, 7000005u);
    EXPECT_DOUBLE_EQ(row.mean_ns, 250);  // of the timed ones
    EXPECT_TRUE(row.lower_bound);
    EXPECT_EQ(report.rows.at(5).name, "kmalloc_trace");
    EXPECT_FALSE(report.rows.at(5).timed);
    EXPECT_EQ(report.rows.at(6).name, "__kmalloc");
    EXPECT_EQ(report.rows.at(7).mechanism, "");
    EXPECT_FALSE(report.rows.at(7).lower_bound);
}

TEST(Report, Notes) {
    const Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    const std::string icache = "icache-flush (sync_icache_aliases): ";
    for (const std::string& note : {
             std::string("time is not true: emulated (qemu tcg)"),
             std::string(
                 "a checkpoint, not the whole: the recorder had not finished, its ledger is open"),
             icache + "12 of 20017 entries lost (table of open spans full 10, too deep 2)",
             icache + "3 hits beside the 20017 counted were not seen (another probe's handler 3)",
             icache + "no hit lost, but: stack not kept 1",
             icache + "losses unknown on this kernel: recursion guard",
             std::string("page-reuse,within=do_wp_page: arguments by kprobe"),
             std::string("uretprobe-alloc: kmem_cache_alloc not measured, figures are a lower "
                         "bound: it is notrace; CONFIG_KPROBE_EVENTS_ON_NOTRACE"),
             std::string("2026-11-30T12:01:00Z: counting stopped for 5.0 s: kcost was stopped"),
             std::string("callers and processes from one hit in 64, scaled"),
             std::string("pseudo-NMI is off"),
         })
        EXPECT_TRUE(has_note(report, note)) << note;
    Recording whole = recording;
    whole.whole = true;
    for (const std::string& note : make_report(whole).notes)
        EXPECT_EQ(note.find("balance"), std::string::npos) << note;
}

std::vector<ReportRow> rows_from(const model::Report& report, const std::string& name) {
    std::vector<ReportRow> rows;
    for (const ReportRow& row : report.rows)
        if (!rows.empty() || row.name == name) rows.push_back(row);
    return rows;
}

TEST(Report, SitesOfAnOperation) {
    const auto rows = rows_from(make_report(test::sample_recording()), "flush_tlb_page");
    ASSERT_EQ(rows.size(), 4u) << "the site never hit has no row";
    EXPECT_EQ(rows[0].mechanism, "opsite, hwbreak, opsite x2, 3 of 5 sites");
    EXPECT_EQ(rows[0].calls, 541u);
    EXPECT_EQ(rows[0].floor_ns, 300u);
    EXPECT_TRUE(rows[0].lower_bound);
    EXPECT_TRUE(rows[0].upper_bound);
    EXPECT_EQ(rows[1].name, "__ptep_set_access_flags+0x80");
    EXPECT_EQ(rows[1].mechanism, "opsite x2");
    EXPECT_EQ(rows[1].depth, 1u);
    EXPECT_FALSE(rows[1].upper_bound || rows[1].lower_bound);
    EXPECT_EQ(rows[2].name, "wp_page_reuse+0x58");
    EXPECT_EQ(rows[2].depth, 2u);
    EXPECT_EQ(rows[3].name, "ptep_clear_flush+0x68");
    EXPECT_EQ(rows[3].mechanism, "hwbreak");
    EXPECT_TRUE(rows[3].upper_bound);
    EXPECT_FALSE(rows[3].timed);
}

TEST(Report, AnOperationKeepsTheRowOfItsOnlySite) {
    Recording recording = test::sample_recording();
    model::Target& target = recording.targets[4];
    target.skipped.clear();
    target.sites_found = 3;
    target.sites.erase(target.sites.begin(), target.sites.begin() + 2);
    auto rows = rows_from(make_report(recording), "flush_tlb_page");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].mechanism, "opsite x2, 1 of 3 sites");
    EXPECT_FALSE(rows[0].lower_bound || rows[0].upper_bound);
    EXPECT_EQ(rows[1].name, "__ptep_set_access_flags+0x80");
    // Of functions a site that was not hit keeps its row: nobody else tells that it is there.
    target.sites[0].repeated = false;
    target.sites.push_back(test::sample_flush_tlb_page().sites[0]);
    target.sites_found = 0;
    rows = rows_from(make_report(recording), "flush_tlb_page");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].mechanism, "opsite");
    EXPECT_EQ(rows[3].name, "do_wp_page+0x848");
    target.sites.clear();
    target.sites_found = 3;
    EXPECT_EQ(rows_from(make_report(recording), "flush_tlb_page").at(0).mechanism, "");
}

TEST(Report, NotesOfAnOperation) {
    Recording recording = test::sample_recording();
    const std::string page = "flush_tlb_page";
    auto report = make_report(recording);
    for (const std::string& note : {
             page +
                 " (__ptep_set_access_flags+0x80): x2, each broadcast and its barrier run twice, "
                 "for an erratum of this CPU",
             page + " (ptep_clear_flush+0x68): an upper bound: an instruction that an interrupt "
                    "delays traps again",
             page + ": 1 of the 3 sites armed were never hit",
             page + ": tlb_flush+0xdc, __flush_tlb_range+0x44 not measured, figures are a lower "
                    "bound: it is notrace",
         })
        EXPECT_TRUE(has_note(report, note)) << note;
    // Another reason or remedy is another note.
    model::Target& target = recording.targets[4];
    target.skipped = {{"a", "denied", ""}, {"b", "denied", "leave it out"}, {"c", "denied", ""}};
    // One that was not hit was hit neither twice nor too often.
    for (model::Site& site : target.sites) site.figures.entries = 0;
    report = make_report(recording);
    for (const std::string& note : {
             page + ": a, c not measured, figures are a lower bound: denied",
             page + ": b not measured, figures are a lower bound: denied; leave it out",
             page + ": 3 of the 3 sites armed were never hit",
         })
        EXPECT_TRUE(has_note(report, note)) << note;
    for (const std::string& note : report.notes) {
        EXPECT_EQ(note.find("erratum"), note.npos) << note;
        EXPECT_EQ(note.find("upper bound"), note.npos) << note;
    }
    target.sites.clear();
    EXPECT_TRUE(has_note(make_report(recording), page + ": a, c not measured: denied"));
}

TEST(Report, ASiteWhoseHitsWereAllMissedIsNotIdle) {
    Recording recording = test::sample_recording();
    recording.targets[4].sites[0].lost = {
        {"missed in another probe's handler", 5, model::Loss::Kind::kUnseen}};
    const auto report = make_report(recording);
    EXPECT_EQ(rows_from(report, "do_wp_page+0x848").at(0).lost, 5u);
    EXPECT_TRUE(has_note(report,
                         "flush_tlb_page (do_wp_page+0x848): 5 hits beside the 0 counted were not "
                         "seen (missed in another probe's handler 5)"));
    for (const std::string& note : report.notes)
        EXPECT_EQ(note.find("never hit"), note.npos) << note;
    // What the kernel does not tell says nothing of dozens of sites that did not run.
    recording.targets[4].sites[0].lost = {{"a", std::nullopt, model::Loss::Kind::kUnseen},
                                          {"b", 0, model::Loss::Kind::kEntry}};
    EXPECT_TRUE(rows_from(make_report(recording), "do_wp_page+0x848").empty());
}

TEST(Report, AnInstructionIsALeafOfItsFunction) {
    const auto report = make_report(test::sample_recording());
    std::vector<std::vector<std::string>> stacks;
    for (const auto& stack : report.stacks)
        if (stack.target == "flush_tlb_page") stacks.push_back(stack.frames);
    ASSERT_EQ(stacks.size(), 2u);
    EXPECT_EQ(stacks[0],
              (std::vector<std::string>{"usemem", "el0_svc+0x30", "__ptep_set_access_flags+0x80"}));
    EXPECT_EQ(stacks[1], (std::vector<std::string>{"usemem", "el0_svc+0x30", "flush_tlb_page"}));
}

TEST(Report, ALedgerThatDoesNotBalanceIsSaid) {
    Recording recording;
    recording.whole = true;
    recording.targets = {test::sample_page_reuse()};
    recording.targets[0].name = "__ptep_set_access_flags";
    recording.targets[0].sites[0].figures.entries += 5;
    EXPECT_TRUE(has_note(make_report(recording),
                         "__ptep_set_access_flags: ledger does not balance by 5: 1060 entries, "
                         "1055 accounted"));
    recording.targets[0].sites[0].figures.entries = 0;
    EXPECT_TRUE(has_note(make_report(recording),
                         "__ptep_set_access_flags: ledger does not balance by -1055: 0 entries, "
                         "1055 accounted"));
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    recording.targets[0].sites[0].in_flight = kMost;
    recording.targets[0].sites[0].lost = {{"a", kMost, model::Loss::Kind::kEntry},
                                          {"b", kMost, model::Loss::Kind::kEntry}};
    EXPECT_TRUE(has_note(make_report(recording),
                         "__ptep_set_access_flags: ledger does not balance by "
                         "-55340232221128655899: 0 entries, 55340232221128655899 accounted"));
    // Read while counting went on, it need not balance.
    recording.live = true;
    EXPECT_TRUE(make_report(recording).notes.at(1).find("balance") == std::string::npos);
    recording.live = false;
    recording.whole = false;
    for (const std::string& note : make_report(recording).notes)
        EXPECT_EQ(note.find("balance"), std::string::npos) << note;
}

TEST(Report, StacksAreScaledToAllHitsRootFirst) {
    const Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    double calls = 0;
    for (const auto& stack : report.stacks)
        if (stack.target == "icache-flush") calls += stack.calls;
    EXPECT_NEAR(calls, 20003, 1e-6);

    const auto& nginx = report.stacks.at(1);  // after the 7,000,005 of uretprobe-alloc
    EXPECT_EQ(nginx.frames,
              (std::vector<std::string>{"nginx", "el0_svc+0x30", "arch_uprobe_copy_ixol+0x64",
                                        "sync_icache_aliases"}));
    EXPECT_DOUBLE_EQ(nginx.calls, 200 * 20003.0 / 312);
    EXPECT_DOUBLE_EQ(nginx.ns, 300000 * 20003.0 / 312);

    // Where the leaf is not the target's function, that is appended.
    const auto leaf = [&](const std::string& root) {
        for (const auto& stack : report.stacks)
            if (stack.frames.front() == root) return stack.frames.back();
        return std::string();
    };
    EXPECT_EQ(leaf("bad\xff;\\name"), "sync_icache_aliases");
    EXPECT_EQ(leaf(""), "__ptep_set_access_flags");
    EXPECT_EQ(leaf("#comment"), "uretprobe-alloc");
}

TEST(Report, TheFunctionOfAProgramIsALeafWithoutItsPath) {
    Recording recording;
    recording.payers_one_in = 1;
    recording.targets.resize(1);
    recording.targets[0].sites.resize(1);
    recording.targets[0].sites[0].function = "/usr/bin/redis-server:dictFind";
    recording.targets[0].sites[0].figures = test::spans_of(2, 10);
    recording.frame_names = {"dictFind+0x4"};
    recording.payers = {{0, 1, "redis", {0}, 1, 10}, {0, 1, "redis", {}, 1, 10}};
    const auto report = make_report(recording);
    EXPECT_EQ(report.stacks.at(0).frames, (std::vector<std::string>{"redis", "dictFind+0x4"}));
    EXPECT_EQ(report.stacks.at(1).frames, (std::vector<std::string>{"redis", "dictFind"}));
}

TEST(Report, NothingMeasuredIsNoDivisionByZero) {
    Recording recording;
    recording.whole = true;
    EXPECT_TRUE(make_report(recording).rows.empty());
    recording.targets = {test::sample_icache_flush()};
    recording.targets[0].sites[0].figures = {};
    recording.payers = {{0, 1, "a", {7}, 0, 0}, {9, 1, "b", {}, 1, 1}};
    const auto report = make_report(recording);
    EXPECT_EQ(report.rows.at(0).mean_ns, 0);
    EXPECT_EQ(report.rows.at(0).calls_per_s, 0);
    EXPECT_EQ(report.rows.at(0).share, 0);
    EXPECT_EQ(report.stacks.at(0).calls, 0);
    EXPECT_EQ(report.stacks.size(), 1u);
}

}  // namespace
}  // namespace kcost
