#include "export/boot_plan_text.h"

#include <gtest/gtest.h>

namespace kcost {
namespace {

TEST(BootPlanText, OneLineABoot) {
    EXPECT_EQ(render_boot_plan({true, false}, 7, {"kcost", "measure", "slug"}),
              "2 boots in random blocks of one before and one after; seed 7\n"
              "   1  boot the kernel after:  kcost measure slug -o after.kcost\n"
              "   2  boot the kernel before: kcost measure slug -o before.kcost\n"
              "then  kcost confirm before.kcost after.kcost\n");
}

TEST(BootPlanText, TheFileStandsBeforeACommand) {
    const std::string plan =
        render_boot_plan({false}, 7, {"kcost", "measure", "-n", "3", "--", "make", "-j2"});
    EXPECT_NE(plan.find("kcost measure -n 3 -o before.kcost -- make -j2\n"), std::string::npos)
        << plan;
}

TEST(BootPlanText, WordsForAShell) {
    EXPECT_EQ(shell_words({"a", "-n=3", "/x/y", "two words", "it's", "", "$x"}),
              "a -n=3 /x/y 'two words' 'it'\\''s' '' '$x'");
}

TEST(BootPlanText, AUnitTakesEachWordAsItIs) {
    const std::string unit = render_systemd_unit(
        {"/usr/sbin/kcost", "measure", "50%", "$HOME", "a \"b\" \\", "x\ny"}, "/home/50%");
    EXPECT_NE(unit.find("ExecStart=\"/usr/sbin/kcost\" \"measure\" \"50%%\" \"$$HOME\" "
                        "\"a \\\"b\\\" \\\\\" \"x\\x0ay\"\n"),
              std::string::npos)
        << unit;
    for (const char* line : {"Type=oneshot\n", "WorkingDirectory=/home/50%%\n",
                             "WantedBy=multi-user.target\n", "[Install]\n"})
        EXPECT_NE(unit.find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace kcost
