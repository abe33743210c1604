#include "store/measurement_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "sample_measurement.h"
#include "store/recording_file.h"

namespace kcost {
namespace {

std::string error_of(const std::string& text) {
    const auto measurement = decode_measurement(text, "FILE");
    return measurement ? "" : measurement.error().what;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

class MeasurementFile : public testing::Test {
protected:
    MeasurementFile() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "kcost-test.XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~MeasurementFile() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

// The encoding holds every field, so equal texts are equal measurements.
TEST_F(MeasurementFile, RoundTrip) {
    const model::Measurement sample = test::sample_measurement();
    const std::string file = (folder_ / "before.kcost").string();
    ASSERT_TRUE(save_measurement(sample, file));
    const auto loaded = load_measurement(file);
    ASSERT_TRUE(loaded) << loaded.error().what;
    EXPECT_EQ(encode_measurement(*loaded), encode_measurement(sample));
    ASSERT_EQ(loaded->sessions.size(), 2u);
    ASSERT_EQ(loaded->sessions[0].repetitions.size(), 4u);
    EXPECT_EQ(loaded->sessions[0].repetitions[0].values.at(0), 0.1);
    EXPECT_EQ(loaded->sessions[0].repetitions[3].values.at(0), 1e-300);
    EXPECT_EQ(loaded->sessions[0].seed, 0xffffffffffffffff);
    EXPECT_EQ(loaded->workloads, sample.workloads);
    EXPECT_EQ(loaded->sessions[0].kernel, sample.sessions[0].kernel);
    const model::Repetition& probed = loaded->sessions[0].repetitions[1];
    EXPECT_EQ(probed.mode, model::Mode::kProbed);
    EXPECT_EQ(probed.targets.at(0).sites.at(0).splits.at(1).caller, "arch_uprobe_copy_ixol+0x64");
    const model::Repetition& sampled = loaded->sessions[0].repetitions[2];
    ASSERT_TRUE(sampled.sampled);
    EXPECT_EQ(sampled.sampled->lost, std::nullopt);
    EXPECT_EQ(sampled.sampled->in_targets.at(0).samples, 9000u);
    const model::PatchEvidence& evidence = loaded->sessions[1].patches.at(0);
    EXPECT_EQ(evidence.finding.evidence, model::Evidence::kAbsent);
    EXPECT_EQ(evidence.finding.facts.at(0).instructions.at(0).text, "bl sync_icache_aliases");
    EXPECT_EQ(loaded->sessions[1].failures.at(0).remedy, "--metric-regex");
    EXPECT_EQ(loaded->looks.at(0).other, "0123abcd");
    EXPECT_EQ(loaded->looks.at(0).other_digest, "89abcdef");
    EXPECT_EQ(loaded->sessions.at(0).repetitions.at(0).kernel_instructions, 123456789u);
}

TEST_F(MeasurementFile, AnEmptyOneReads) {
    const auto read = decode_measurement(encode_measurement({}), "FILE");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(encode_measurement(*read), encode_measurement({}));
}

TEST_F(MeasurementFile, OtherFilesAreToldFromIt) {
    const std::string says = "cannot read FILE: it is no measurement of kcost";
    EXPECT_EQ(error_of(encode_recording(test::sample_recording())), says);
    EXPECT_EQ(error_of("{}"), says);
    EXPECT_EQ(error_of("7"), "cannot read FILE: it is no JSON object");
    const auto recording = decode_recording(encode_measurement(test::sample_measurement()), "FILE");
    ASSERT_FALSE(recording);
    EXPECT_EQ(recording.error().what, "cannot read FILE: it is a measurement, not a recording");
}

TEST_F(MeasurementFile, Versions) {
    const std::string good = encode_measurement(test::sample_measurement());
    EXPECT_EQ(error_of(replaced(good, "\"version\": 1", "\"version\": 2")),
              "cannot read FILE: it is a measurement of version 2, this kcost reads up to 1");
    EXPECT_EQ(error_of(replaced(good, "\"version\": 1", "\"version\": 0")),
              "cannot read FILE: version is 0");
    // Unknown fields are a later writer's.
    EXPECT_EQ(error_of(replaced(good, "\"patch\"", R"("new": {"a": [1, {}]}, "patch")")), "");
}

TEST_F(MeasurementFile, ErrorsNameTheField) {
    const std::string good = encode_measurement(test::sample_measurement());
    const struct {
        const char* from;
        const char* to;
        const char* says;
    } cases[] = {
        {R"("mode":"probed")", R"("mode":"fast")",
         "sessions[1].failures[0].mode is none of bare, probed, sampled"},
        {R"("session":0,"workload":0)", R"("session":2,"workload":0)",
         "repetitions[0].session is no session's index"},
        {R"("session":0,"workload":0)", R"("session":0,"workload":2)",
         "repetitions[0]: workload is no workload's index"},
        {R"("values":[0.1])", R"("values":[])",
         "repetitions[0]: values has not one of each metric"},
        {R"("values":[0.1])", R"("values":["0.1"])", "repetitions[0].values[0] is no number"},
        {R"("values":[0.1])", R"("values":[null])", "repetitions[0].values[0] is no number"},
        {R"({"target":"page-reuse","samples":0})", R"({"target":"page-reuse","samples":-1})",
         "repetitions[2].sampled.in_targets[1].samples is no whole number from 0 to "
         "18446744073709551615"},
        {R"({"target":"page-reuse","samples":0})", R"({"target":"other","samples":0})",
         "repetitions[2]: sampled.in_targets has one that is no target"},
        {R"("evidence":"absent")", R"("evidence":"gone")",
         "sessions[0].patches[0].evidence is none of present, absent, superseded, cannot tell"},
        {R"("value":"no")", R"("value":"nay")",
         "sessions[0].patches[0].facts[0].value is none of no, yes, unknown"},
        {R"("failures":[{"workload":1)", R"("failures":[{"workload":2)",
         "sessions[1].failures has a workload that is no workload's index"},
        {R"("entries":20017)", R"("entries":null)",
         "repetitions[1].targets[0].sites[0].figures.entries is no whole number from 0 to "
         "18446744073709551615"},
        {R"("boot_id":"boot-1",)", "", "sessions[0].boot_id is missing"},
        {R"("patch": "uprobe-xol-flush",)", "", "patch is missing"},
        {R"("sampled":null)", R"("sampled":7)", "repetitions[0].sampled is no object"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(error_of(replaced(good, c.from, c.to)),
                  std::string("cannot read FILE: ") + c.says);
    }
}

TEST_F(MeasurementFile, AFileCutShortNeverReads) {
    const std::string good = encode_measurement(test::sample_measurement());
    for (std::size_t size = 0; size + 2 < good.size(); size += 7)
        ASSERT_FALSE(decode_measurement(good.substr(0, size), "FILE")) << size;
}

TEST_F(MeasurementFile, Bombs) {
    EXPECT_EQ(error_of("{\"sessions\":" + std::string(1'000'000, '[')),
              "cannot read FILE: sessions is nested too deeply");
    // Numbers that no double holds.
    const std::string good = encode_measurement(test::sample_measurement());
    EXPECT_NE(error_of(replaced(good, "[0.1]", "[1e999]")), "");
}

// A fixed seed: the same files each time. Each reads as a measurement or an Error, and what reads
// is written and read alike.
TEST_F(MeasurementFile, Mutations) {
    const std::string good = encode_measurement(test::sample_measurement());
    const std::string pieces[] = {"-1", "1e400", "null", "[", "{", "]",    "}", "\"",
                                  ",",  "\\",    "\xff", "0", ":", "true", "2"};
    std::mt19937_64 random(29);
    int read = 0;
    for (int i = 0; i < 2'000; ++i) {
        std::string text = good;
        for (std::uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
            const std::size_t at = random() % text.size();
            const std::string& piece = pieces[random() % std::size(pieces)];
            if (random() % 2) {
                text[at] = static_cast<char>(random());
            } else {
                text.replace(at, piece.size(), piece);
            }
        }
        const auto measurement = decode_measurement(text, "FILE");
        if (!measurement) {
            EXPECT_TRUE(measurement.error().what.starts_with("cannot read FILE: "));
            continue;
        }
        ++read;
        const std::string written = encode_measurement(*measurement);
        const auto again = decode_measurement(written, "FILE");
        ASSERT_TRUE(again) << again.error().what;
        EXPECT_EQ(encode_measurement(*again), written);
    }
    EXPECT_GT(read, 30);
}

}  // namespace
}  // namespace kcost
