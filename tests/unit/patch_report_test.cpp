#include <gtest/gtest.h>

#include "patch/report.h"

namespace kcost::patch {
namespace {

TEST(PatchReport, NamesFactsThatNoMachineTells) {
    model::Patch patch;
    patch.moot = {{{{"cpu.idc", "yes"}, {"cpu.onlnie", "1"}}, "of that"}};
    patch.worth_more = {{{{"cpu.onlnie", "1"}}, "of this"}, {{{"cpu.repeat", "no"}}, "or that"}};
    const model::Machine machine = {{"cpu.idc", "unknown"}, {"cpu.dic", "no"}};
    EXPECT_EQ(untold_facts(patch, machine), (std::set<std::string>{"cpu.onlnie", "cpu.repeat"}));
}

}  // namespace
}  // namespace kcost::patch
