#include "cli/command_words.h"

#include <gtest/gtest.h>

namespace kcost {
namespace {

using List = std::vector<std::string>;

TEST(CommandWords, ACommandStandsBehindTheMark) {
    const Words slug = part_words({"slug"}, {"kcost", "measure", "slug", "-n", "3"});
    EXPECT_EQ(slug.before, (List{"slug"}));
    EXPECT_TRUE(slug.command.empty());
    const Words both =
        part_words({"slug", "make", "-j2"}, {"kcost", "measure", "slug", "--", "make", "-j2"});
    EXPECT_EQ(both.before, (List{"slug"}));
    EXPECT_EQ(both.command, (List{"make", "-j2"}));
    const Words command = part_words({"make"}, {"kcost", "measure", "-t", "x", "--", "make"});
    EXPECT_TRUE(command.before.empty());
    EXPECT_EQ(command.command, (List{"make"}));
}

TEST(CommandWords, ACommandMayHaveMarksOfItsOwn) {
    const List line = {"kcost", "measure", "--", "git", "log", "--", "file"};
    const Words words = part_words({"git", "log", "--", "file"}, line);
    EXPECT_EQ(words.command, (List{"git", "log", "--", "file"}));
}

TEST(CommandWords, BracketsOfACommandStayAsTheyAre) {
    const List line = {"kcost", "measure", "--", "curl", "-d", "[1,2]", "[]"};
    const List parser = {"kcost", "measure", "--", "curl", "-d", "COMMAND", "COMMAND"};
    EXPECT_EQ(words_for_parser(line), parser);
    EXPECT_EQ(part_words({"curl", "-d", "COMMAND", "COMMAND"}, line).command,
              (List{"curl", "-d", "[1,2]", "[]"}));
    EXPECT_EQ(words_for_parser({"kcost", "report", "[a]"}), (List{"kcost", "report", "[a]"}));
}

TEST(CommandWords, NothingBehindTheMark) {
    const Words words = part_words({"slug"}, {"kcost", "measure", "slug", "--"});
    EXPECT_EQ(words.before, (List{"slug"}));
    EXPECT_TRUE(words.command.empty());
    EXPECT_TRUE(part_words({}, {}).before.empty());
}

TEST(CommandWords, OfThisProcess) {
    const auto line = own_command_line();
    ASSERT_TRUE(line) << line.error().what;
    ASSERT_FALSE(line->empty());
    EXPECT_NE(line->front().find("unit_tests"), std::string::npos);
}

}  // namespace
}  // namespace kcost
