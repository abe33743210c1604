#include "kernel/elf_functions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/similar_name.h"

namespace kcost::kernel {
namespace {

TEST(ElfFunctions, NamesAProgramsFunctions) {
    auto names = elf_functions("/proc/self/exe");
    ASSERT_TRUE(names);
    EXPECT_TRUE(std::binary_search(names->begin(), names->end(), "main"));
}

TEST(ElfFunctions, WhatIsNoProgramIsSaid) {
    EXPECT_FALSE(elf_functions("/proc/self/status"));
    EXPECT_FALSE(elf_functions("/no/such/file"));
    EXPECT_FALSE(elf_functions("/"));
}

TEST(ElfFunctions, KnowsWhoThrows) {
    EXPECT_TRUE(throws_exceptions("/proc/self/exe"));
    EXPECT_FALSE(throws_exceptions("/no/such/file"));
}

TEST(MostLike, BestFirstAndNothingFarOff) {
    std::vector<std::string> names = {"counted", "counter", "mounted", "recursive"};
    EXPECT_EQ(most_like("countet", names, 5), (std::vector<std::string>{"counted", "counter"}));
    EXPECT_EQ(most_like("countet", names, 1), (std::vector<std::string>{"counted"}));
    EXPECT_TRUE(most_like("zzz", names, 5).empty());
}

}  // namespace
}  // namespace kcost::kernel
