#include <gtest/gtest.h>

#include "kernel/identity.h"
#include "kernel/symbols.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

std::string layout_of(const std::vector<ListedSymbol>& listed) {
    return text_layout(Symbols::of(listed));
}

const std::vector<ListedSymbol> kBuilt = {{0x1000, 'T', "_stext"},
                                          {0x1100, 'T', "do_work"},
                                          {0x1200, 't', "helper"},
                                          {0x1300, 'T', "_etext"},
                                          {0x9000, 't', "later"}};

std::vector<ListedSymbol> moved(std::vector<ListedSymbol> listed, std::uint64_t by) {
    for (ListedSymbol& symbol : listed) symbol.address += by;
    return listed;
}

TEST(Identity, TheLayoutIsTheSameWhereverTheKernelIsPut) {
    EXPECT_EQ(layout_of(kBuilt).size(), 16u);
    EXPECT_EQ(layout_of(kBuilt), layout_of(moved(kBuilt, 0x200000)));
}

TEST(Identity, AnotherBuildHasAnotherLayout) {
    auto longer = kBuilt;
    longer[2].address += 4;
    EXPECT_NE(layout_of(longer), layout_of(kBuilt));
    auto renamed = kBuilt;
    renamed[2].name = "other";
    EXPECT_NE(layout_of(renamed), layout_of(kBuilt));
}

TEST(Identity, WhatIsNotKnownIsSaid) {
    EXPECT_EQ(layout_of({}), "unknown");
    TempRoot empty;
    const auto identity = identify(empty.get(), {{"kernel.release", "6.12.107"}});
    EXPECT_EQ(identity.release, "6.12.107");
    EXPECT_EQ(identity.build_id, "unknown");
    EXPECT_EQ(identity.text_layout, "unknown");
}

}  // namespace
}  // namespace kcost::kernel
