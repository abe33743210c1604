#include <gtest/gtest.h>

#include "kernel/line_reader.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    TempRoot root;
    root.put("/file", text);
    auto reader = LineReader::open(root.get().at("/file"));
    std::vector<std::string> lines;
    while (const auto line = reader->next()) lines.emplace_back(*line);
    EXPECT_EQ(reader->error(), 0);
    return lines;
}

TEST(LineReader, GivesLinesWithAndWithoutALastNewline) {
    EXPECT_EQ(lines_of(""), std::vector<std::string>());
    EXPECT_EQ(lines_of("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(lines_of("a\nb\n"), (std::vector<std::string>{"a", "b"}));
}

TEST(LineReader, JoinsLinesAcrossItsBuffer) {
    std::string text;
    for (int i = 0; i < 20000; i++) text += "line " + std::to_string(i) + "\n";
    const auto lines = lines_of(text);
    ASSERT_EQ(lines.size(), 20000u);
    for (int i = 0; i < 20000; i++) EXPECT_EQ(lines[i], "line " + std::to_string(i));
}

TEST(LineReader, GivesAnEndlessLineInPieces) {
    const auto lines = lines_of(std::string(200'000, 'x') + "\nend\n");
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines.back(), "end");
    std::size_t length = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); i++) length += lines[i].size();
    EXPECT_EQ(length, 200'000u);
}

TEST(LineReader, AFileThatIsNotThereIsAnError) {
    const auto reader = LineReader::open("/nonexistent/file");
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().what, "cannot open /nonexistent/file: No such file or directory");
}

TEST(LineReader, TellsAnErrorWhileReading) {
    TempRoot root;
    root.put("/folder/file", "");
    auto reader = LineReader::open(root.get().at("/folder"));
    ASSERT_TRUE(reader);
    EXPECT_FALSE(reader->next());
    EXPECT_NE(reader->error(), 0);
}

}  // namespace
}  // namespace kcost::kernel
