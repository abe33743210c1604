#include "export/export.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analyse/report.h"
#include "base/text.h"
#include "golden.h"
#include "sample.h"

namespace kcost {
extern const Export kExportTable;
extern const Export kExportFolded;
extern const Export kExportJson;

namespace {

std::string rendered(const Export& format, const model::Recording& recording,
                     const ExportOptions& options = {}) {
    const auto text = format.render(make_report(recording), options);
    EXPECT_TRUE(text) << text.error().what;
    return text ? *text : "";
}

TEST(Export, Goldens) {
    const model::Recording recording = test::sample_recording();
    test::expect_golden("report.table", rendered(kExportTable, recording, {.width = 140}));
    test::expect_golden("report-80.table", rendered(kExportTable, recording, {.width = 80}));
    test::expect_golden("calls.folded", rendered(kExportFolded, recording));
    test::expect_golden("ns.folded", rendered(kExportFolded, recording, {.weight = "ns"}));
    test::expect_golden("report.json", rendered(kExportJson, recording));
}

TEST(Export, ATableHasNoControlCharactersAndFits) {
    const model::Recording recording = test::sample_recording();
    for (unsigned width : {0u, 40u, 60u, 80u, 100u, 120u, 200u}) {
        const std::string table = rendered(kExportTable, recording, {.width = width});
        for (std::string_view line : split(table, '\n')) {
            EXPECT_EQ(escape_for_terminal(line), line);
            const bool name_alone = line.find("  ", 4) == line.npos;  // too long for any column
            if (width >= 60 && !name_alone) {
                EXPECT_LE(display_width(line), width) << line;
            }
            EXPECT_FALSE(line.ends_with(' ')) << line;
        }
    }
    EXPECT_NE(rendered(kExportTable, recording, {.color = true}).find("\x1b[1mtarget"),
              std::string::npos);
}

TEST(Export, ATableOfNothing) {
    model::Recording empty;
    empty.whole = true;
    EXPECT_EQ(rendered(kExportTable, empty),
              "0 ns counted on 0 CPUs\n\n"
              "target  calls  calls/s  share  of  avg  p50  p99  max  lost  mechanism\n");
}

TEST(Export, FoldedLinesHaveOneWeightAndNoForeignSeparator) {
    const std::string folded = rendered(kExportFolded, test::sample_recording());
    for (std::string_view line : split(trim(folded), '\n')) {
        const std::size_t blank = line.rfind(' ');
        ASSERT_NE(blank, line.npos);
        EXPECT_TRUE(parse_number(line.substr(blank + 1)).value_or(0) > 0) << line;
        EXPECT_EQ(line.substr(0, blank).substr(line.rfind(';', blank)).find(' '), line.npos);
        EXPECT_NE(line.front(), '#');
    }
}

TEST(Export, FoldedRefusesWhatItCannotDo) {
    model::Recording recording = test::sample_recording();
    const auto report = make_report(recording);
    const auto weight = kExportFolded.render(report, {.weight = "bytes"});
    ASSERT_FALSE(weight);
    EXPECT_EQ(weight.error().what, "cannot weigh stacks by 'bytes'");
    EXPECT_EQ(weight.error().code, ExitCode::kUsage);
    recording.payers_one_in = 0;
    EXPECT_FALSE(kExportFolded.render(report, {}));
}

TEST(Export, JsonParsesAndHoldsBytes) {
    const auto json = nlohmann::json::parse(rendered(kExportJson, test::sample_recording()));
    const auto& target = json.at("targets").at(0);
    EXPECT_EQ(target.at("name"), "icache-flush");
    EXPECT_EQ(target.at("entries").get<std::uint64_t>(),
              target.at("spans").get<std::uint64_t>() + target.at("rejected").get<std::uint64_t>() +
                  target.at("in_flight").get<std::uint64_t>() +
                  target.at("lost").get<std::uint64_t>());
    EXPECT_EQ(target.at("sites").at(0).at("splits").size(), 2u);
    EXPECT_TRUE(json.at("targets").at(3).at("mechanism").is_null());
    EXPECT_EQ(utf8_to_bytes(json.at("payers").at(2).at("comm").get<std::string>()),
              "bad\xff;\\name");
}

TEST(Export, JsonTellsTheSitesOfAnOperation) {
    const auto json = nlohmann::json::parse(rendered(kExportJson, test::sample_recording()));
    const auto& target = json.at("targets").at(4);
    EXPECT_EQ(target.at("name"), "flush_tlb_page");
    EXPECT_EQ(target.at("mechanism"), "opsite, hwbreak, opsite x2, 3 of 5 sites");
    EXPECT_EQ(target.at("sites_armed"), 3);
    EXPECT_EQ(target.at("sites_found"), 5);
    EXPECT_EQ(target.at("lower_bound"), true);
    EXPECT_EQ(target.at("upper_bound"), true);
    EXPECT_EQ(target.at("skipped").size(), 2u);
    ASSERT_EQ(target.at("sites").size(), 3u) << "those never hit, too";
    const auto& counted = target.at("sites").at(1);
    EXPECT_EQ(counted.at("upper_bound"), true);
    EXPECT_EQ(counted.at("repeated"), false);
    const auto& repeated = target.at("sites").at(2);
    EXPECT_EQ(repeated.at("function"), "__ptep_set_access_flags+0x80");
    EXPECT_EQ(repeated.at("mechanism"), "opsite");
    EXPECT_EQ(repeated.at("repeated"), true);
    EXPECT_EQ(repeated.at("upper_bound"), false);
    EXPECT_EQ(repeated.at("detail"), "vale1is; each with its barrier twice, for the CPU's erratum");
    const auto& functions = json.at("targets").at(0);
    EXPECT_EQ(functions.at("sites_armed"), 1);
    EXPECT_TRUE(functions.at("sites_found").is_null());
    EXPECT_EQ(functions.at("upper_bound"), false);
}

std::string row_of(const std::string& table, const std::string& name) {
    for (std::string_view line : split(table, '\n'))
        if (trim(line).starts_with(name)) return std::string(line);
    return "";
}

// The first two cells behind a name: calls and, where there is room, calls a second.
std::vector<std::string> cells_of(const std::string& table, const std::string& name) {
    std::vector<std::string> cells;
    for (std::string_view cell : split(row_of(table, name).substr(name.size()), ' '))
        if (!cell.empty()) cells.emplace_back(cell);
    return cells;
}

TEST(Export, ATableMarksBounds) {
    model::Recording recording = test::sample_recording();
    const auto table = [&] { return rendered(kExportTable, recording, {.width = 200}); };
    auto cells = cells_of(table(), "flush_tlb_page");
    EXPECT_EQ(cells.at(0), "~541");
    EXPECT_EQ(cells.at(1), "~54.1");
    EXPECT_EQ(cells.at(2), ">=0.010%") << "what may be counted twice is not timed";
    recording.targets[4].skipped.clear();
    cells = cells_of(table(), "flush_tlb_page");
    EXPECT_EQ(cells.at(0), "<=541");
    EXPECT_EQ(cells.at(1), "<=54.1");
    EXPECT_EQ(cells.at(2), "0.010%");
    EXPECT_NE(row_of(table(), "ptep_clear_flush+0x68").find(" <=41 "), std::string::npos);
    EXPECT_NE(row_of(table(), "__ptep_set_access_flags+0x80").find(" 500 "), std::string::npos);
    EXPECT_EQ(row_of(table(), "do_wp_page+0x848"), "");
    recording.targets[4].sites[1].upper_bound = false;
    EXPECT_EQ(cells_of(table(), "flush_tlb_page").at(0), "541");
}

}  // namespace
}  // namespace kcost
