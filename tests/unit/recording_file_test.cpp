#include "store/recording_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "analyse/report.h"
#include "base/text.h"
#include "golden.h"
#include "sample.h"

namespace kcost {
namespace {

namespace fs = std::filesystem;

class RecordingFile : public testing::Test {
protected:
    RecordingFile() {
        std::string pattern = (fs::temp_directory_path() / "kcost-test.XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~RecordingFile() override { fs::remove_all(folder_); }

    std::string file(const std::string& name = "recording") { return (folder_ / name).string(); }
    std::size_t files() {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

// The encoding holds every field, so equal texts are equal recordings.
void expect_equal(const model::Recording& a, const model::Recording& b) {
    EXPECT_EQ(encode_recording(a), encode_recording(b));
}

std::string error_of(const std::string& text) {
    const auto recording = decode_recording(text, "FILE");
    return recording ? "" : recording.error().what;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST_F(RecordingFile, Golden) {
    test::expect_golden("sample.kcost", encode_recording(test::sample_recording()));
}

TEST_F(RecordingFile, RoundTrip) {
    model::Recording recording = test::sample_recording();
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    auto& site = recording.targets[0].sites[0];
    site.figures.total_ns = kMost;
    site.figures.durations.bins[KC_BINS - 1] = kMost;
    site.splits[0].value = kMost;
    site.address = kMost;
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    recording.payers[0].comm = all;
    recording.frame_names[0] = all + "\\xff\\";
    ASSERT_TRUE(save_recording(recording, file()));
    const auto loaded = load_recording(file());
    ASSERT_TRUE(loaded) << loaded.error().what;
    expect_equal(*loaded, recording);
    EXPECT_EQ(loaded->payers[0].comm, all);
    EXPECT_EQ(loaded->frame_names[0], all + "\\xff\\");
    EXPECT_EQ(loaded->targets[0].sites[0].figures.durations.bins, site.figures.durations.bins);
    EXPECT_EQ(loaded->targets[0].sites[0].splits[0].value, kMost);
    EXPECT_EQ(loaded->targets[0].sites[0].lost[4].count, std::nullopt);
    EXPECT_EQ(loaded->machine, recording.machine);
    EXPECT_EQ(files(), 1u);
}

TEST_F(RecordingFile, RoundTripOfAnOperation) {
    const model::Recording recording = test::sample_recording();
    ASSERT_TRUE(save_recording(recording, file()));
    const auto loaded = load_recording(file());
    ASSERT_TRUE(loaded) << loaded.error().what;
    const model::Target& target = loaded->targets.at(4);
    EXPECT_EQ(target.sites_found, 5u);
    EXPECT_EQ(loaded->targets[0].sites_found, 0u);
    ASSERT_EQ(target.sites.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const model::Site& site = recording.targets[4].sites[i];
        EXPECT_EQ(target.sites[i].detail, site.detail);
        EXPECT_EQ(target.sites[i].repeated, site.repeated);
        EXPECT_EQ(target.sites[i].upper_bound, site.upper_bound);
    }
    EXPECT_TRUE(target.sites[2].repeated);
    EXPECT_TRUE(target.sites[1].upper_bound);
}

// What was written before operations and breakpoints were there.
TEST_F(RecordingFile, TheFirstFilesOfVersion1Read) {
    const auto loaded = load_recording(KCOST_TEST_DATA "/first-version-1.kcost");
    ASSERT_TRUE(loaded) << loaded.error().what;
    ASSERT_EQ(loaded->targets.size(), 4u);
    for (const model::Target& target : loaded->targets) {
        EXPECT_EQ(target.sites_found, 0u);
        for (const model::Site& site : target.sites) {
            EXPECT_EQ(site.detail, "");
            EXPECT_FALSE(site.repeated || site.upper_bound);
        }
    }
    const auto report = make_report(*loaded);
    EXPECT_EQ(report.rows.at(0).mechanism, "fentry");
    EXPECT_FALSE(report.rows.at(0).upper_bound);
    // Written again it has all members.
    const auto again = decode_recording(encode_recording(*loaded), "FILE");
    ASSERT_TRUE(again) << again.error().what;
    expect_equal(*again, *loaded);
}

TEST_F(RecordingFile, EmptyRecording) {
    ASSERT_TRUE(save_recording({}, file()));
    const auto loaded = load_recording(file());
    ASSERT_TRUE(loaded) << loaded.error().what;
    expect_equal(*loaded, {});
}

TEST_F(RecordingFile, SavingReplacesAndKeepsRightsAndLinks) {
    ASSERT_TRUE(save_recording({}, file("old")));
    struct stat info {};
    ASSERT_EQ(::stat(file("old").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    ASSERT_EQ(::chmod(file("old").c_str(), 0644), 0);
    fs::create_symlink("old", file("link"));
    ASSERT_TRUE(save_recording(test::sample_recording(), file("link")));
    EXPECT_TRUE(fs::is_symlink(file("link")));
    ASSERT_EQ(::stat(file("old").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0644u);
    expect_equal(*load_recording(file("old")), test::sample_recording());
    EXPECT_EQ(files(), 2u);
}

TEST_F(RecordingFile, CannotWrite) {
    const auto no_folder = save_recording({}, file("none/recording"));
    ASSERT_FALSE(no_folder);
    EXPECT_EQ(no_folder.error().what,
              "cannot write " + file("none/recording") + ": No such file or directory");
    EXPECT_EQ(no_folder.error().hint, "make the folder first, or name a file in one that exists");
    for (const std::string& name : {std::string("/dev/null"), folder_.string()}) {
        const auto saved = save_recording({}, name);
        ASSERT_FALSE(saved);
        EXPECT_EQ(saved.error().what, "cannot write " + name + ": it is no regular file");
    }
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_FALSE(save_recording({}, "/proc/recording"));
    EXPECT_EQ(files(), 0u);
}

// Under a limit on file sizes writing fails in the middle.
TEST_F(RecordingFile, AFailedWriteLeavesTheOldFileAndNoOther) {
    ASSERT_TRUE(save_recording({}, file()));
    rlimit unlimited{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    const rlimit limit{1000, unlimited.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto saved = save_recording(test::sample_recording(), file());
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    std::signal(SIGXFSZ, SIG_DFL);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().what, "cannot write " + file() + ": File too large");
    EXPECT_EQ(files(), 1u);
    expect_equal(*load_recording(file()), {});
}

TEST_F(RecordingFile, FilesThatAreNoRecordings) {
    std::ofstream(file("empty")).close();
    std::ofstream(file("large")).close();
    fs::resize_file(file("large"), std::uintmax_t{1} << 30);  // zeros, without a block
    std::ofstream(file("zeros")) << std::string(100000, '\0');
    ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
    const std::pair<std::string, std::string> cases[] = {
        {file("none"), "No such file or directory"},  {file("empty"), "it is empty"},
        {file("large"), "it is larger than 256 MiB"}, {file("zeros"), "no JSON at byte 1"},
        {file("fifo"), "it is no regular file"},      {folder_.string(), "it is a directory"},
        {"/dev/zero", "it is no regular file"},       {"/proc/self/status", "it is empty"},
    };
    for (const auto& [name, cause] : cases) {
        const auto loaded = load_recording(name);
        ASSERT_FALSE(loaded) << name;
        EXPECT_EQ(loaded.error().what, "cannot read " + name + ": " + cause);
    }
}

TEST_F(RecordingFile, LaterVersionsAndForeignFiles) {
    const std::string good = encode_recording(test::sample_recording());
    const std::string later = replaced(good, "\"version\": 1", "\"version\": 2");
    const std::string says =
        "cannot read FILE: it is a recording of version 2, this kcost reads up to 1";
    EXPECT_EQ(error_of(later), says);
    // Said even where the rest has changed beyond reading, or the version comes last.
    EXPECT_EQ(error_of(replaced(later, "\"cpus\": 2", "\"cpus\": \"two\"")), says);
    EXPECT_EQ(error_of(R"({"cpus": "two", "version": 2, "format": "kcost-recording"})"), says);
    EXPECT_EQ(error_of(replaced(good, "\"version\": 1", "\"version\": 0")),
              "cannot read FILE: version is 0");
    EXPECT_EQ(error_of(R"({"format": "other", "version": 1})"),
              "cannot read FILE: it is no recording of kcost");
    EXPECT_EQ(error_of("{}"), "cannot read FILE: it is no recording of kcost");
    EXPECT_EQ(error_of("[1]"), "cannot read FILE: it is no JSON object");
    EXPECT_EQ(error_of("1"), "cannot read FILE: it is no JSON object");
    // Unknown fields are a later writer's.
    EXPECT_EQ(error_of(replaced(good, "\"cpus\"", R"("new": {"a": [1, {}]}, "cpus")")), "");
    EXPECT_EQ(error_of(replaced(good, "\"entries\"", R"("new": [[]], "entries")")), "");
}

TEST_F(RecordingFile, ErrorsNameTheField) {
    const std::string good = encode_recording(test::sample_recording());
    const struct {
        const char* from;
        const char* to;
        const char* says;
    } cases[] = {
        {R"("cpus": 2)", R"("cpus": -2)", "cpus is no whole number from 0 to 4294967295"},
        {R"("cpus": 2)", R"("cpus": 4294967296)", "cpus is no whole number from 0 to 4294967295"},
        {R"("cpus": 2,)", R"("cpus": 2, "cpus": 2,)", "cpus is given twice"},
        {R"("cpus": 2,)", "", "cpus is missing"},
        {R"("cpus": 2)", R"("cpus": [2])", "cpus is a list"},
        {R"("gaps": [)", R"("gaps": 7, "other": [)", "gaps is no list"},
        {R"("window_ns": 10000000000)", R"("window_ns": 1e99)",
         "window_ns is no whole number from 0 to 18446744073709551615"},
        {R"("window_ns": 10000000000)", R"("window_ns": 18446744073709551616)",
         "window_ns is no whole number from 0 to 18446744073709551615"},
        {R"("whole": false)", R"("whole": 0)", "whole is neither true nor false"},
        {R"(["kernel.release","6.12.107"])", R"(["kernel.release"])", "machine[0] is no list of 2"},
        {R"("6.12.107")", "7", "machine[0][1] is no text"},
        {R"("name":"icache-flush")", R"("name":"\\q")",
         "targets[0].name has a backslash that is followed by neither \\ nor xHH"},
        {R"("lost":[{)", R"("lost":7,"other":[{)", "targets[0].sites[0].lost is no list"},
        {R"("entries":20017)", R"("entries":null)",
         "targets[0].sites[0].figures.entries is no whole number from 0 to 18446744073709551615"},
        {R"("entries":20017,)", "", "targets[0].sites[0].figures.entries is missing"},
        {R"("bins":[[67,20003]])", R"("bins":[[265,20003]])",
         "targets[0].sites[0].figures.bins[0][0] is no whole number from 0 to 264"},
        {R"("bins":[[67,20003]])", R"("bins":[[68,1],[68,2]])",
         "targets[0].sites[0].figures.bins[1] is a bin given twice"},
        {R"("kind":"unseen")", R"("kind":"gone")",
         "targets[0].sites[0].lost[2].kind is none of entry, unseen, other"},
        {R"("frames":[0,1,2])", R"("frames":[0,1,6])", "payers[0].frames[2] is no frame's index"},
        {R"("detail":"")", R"("detail":7)", "targets[0].sites[0].detail is no text"},
        {R"("repeated":false)", R"("repeated":0)",
         "targets[0].sites[0].repeated is neither true nor false"},
        {R"("upper_bound":false)", R"("upper_bound":null)",
         "targets[0].sites[0].upper_bound is neither true nor false"},
        {R"("sites_found":0)", R"("sites_found":-1)",
         "targets[0].sites_found is no whole number from 0 to 18446744073709551615"},
        {R"({"target":1)", R"({"target":5)", "payers[3].target is no target's index"},
        {R"({"target":1)", R"({"target":[[[[[[[[[[[[[[[[[[1)", "payers is nested too deeply"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(error_of(replaced(good, c.from, c.to)),
                  std::string("cannot read FILE: ") + c.says);
    }
}

TEST_F(RecordingFile, AFileCutShortNeverReads) {
    const std::string good = encode_recording(test::sample_recording());
    for (std::size_t size = 0; size + 2 < good.size(); size += 5)
        ASSERT_FALSE(decode_recording(good.substr(0, size), "FILE")) << size;
}

// What would be gigabytes in memory is refused while it is read.
TEST_F(RecordingFile, Bombs) {
    EXPECT_EQ(error_of(std::string(10'000'000, '[')), "cannot read FILE: it is no JSON object");
    EXPECT_EQ(error_of("{\"a\":" + std::string(10'000'000, '[')),
              "cannot read FILE: a is nested too deeply");
    std::string zeros = "{\"a\":{\"b\":[0";
    for (int i = 0; i < 1'050'000; ++i) zeros += ",0";
    EXPECT_EQ(error_of(zeros + "]}}"), "cannot read FILE: a has too many values");
    std::string items = "{\"frame_names\":[\"\"";
    for (int i = 0; i < 1'050'000; ++i) items += ",\"\"";
    EXPECT_EQ(error_of(items + "]}"), "cannot read FILE: frame_names is too long");
}

// A fixed seed: the same three thousand files each time. Each reads as a recording or an Error, and
// what reads can be reported.
TEST_F(RecordingFile, Mutations) {
    const std::string good = encode_recording(test::sample_recording());
    const std::string pieces[] = {
        "-1",   "1e400", "null", "[", "{",  "]", "}", "\"", ",", "\\", "99999999999999999999",
        "\xff", "0",     "true", ":", "265"};
    std::mt19937_64 random(23);
    int read = 0;
    for (int i = 0; i < 3'000; ++i) {
        std::string text = good;
        for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
            const std::size_t at = random() % text.size();
            const std::string& piece = pieces[random() % std::size(pieces)];
            switch (random() % 4) {
                case 0:
                    text[at] = static_cast<char>(random());
                    break;
                case 1:
                    text.erase(at, random() % 40);
                    break;
                case 2:
                    text.insert(at, piece);
                    break;
                default:
                    text.replace(at, piece.size(), piece);
                    break;
            }
        }
        const auto recording = decode_recording(text, "FILE");
        if (!recording) {
            EXPECT_TRUE(recording.error().what.starts_with("cannot read FILE: "));
            continue;
        }
        ++read;
        EXPECT_EQ(make_report(*recording).recording, &*recording);
    }
    EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace kcost
