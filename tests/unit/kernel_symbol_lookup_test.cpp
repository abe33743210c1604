#include <gtest/gtest.h>

#include "kernel/symbol_lookup.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

TEST(FindMany, FindsNamesVariantsAndNothing) {
    const auto found = find_many(guest("arm64-6.1"),
                                 {"check_and_switch_context", "finish_task_switch", "nothing"});
    ASSERT_TRUE(found);
    ASSERT_EQ((*found)[0].size(), 1u);
    EXPECT_EQ((*found)[0][0].address, 0xffffaf0c6e03bfc0u);
    EXPECT_TRUE((*found)[0][0].global);
    ASSERT_EQ((*found)[1].size(), 1u);
    EXPECT_EQ((*found)[1][0].name, "finish_task_switch.isra.0");
    EXPECT_TRUE((*found)[2].empty());
}

TEST(FindMany, FindsEveryStaticFunctionOfAName) {
    const auto found = find_many(guest("arm64-7.3"), {"flush_tlb_mm"});
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].size(), 3u);
}

TEST(FindMany, AnswersTheSameNameTwice) {
    const auto found = find_many(guest("arm64-6.1"), {"vfs_read", "vfs_read"});
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].size(), 1u);
    EXPECT_EQ((*found)[1].size(), 1u);
}

TEST(FindMany, LooksIntoAModuleOnlyWhereNamed) {
    const auto found = find_many(
        guest("arm64-6.1"), {"virtio_console:init_vqs", "virtio_blk:init_vqs", "free_buf", ""});
    ASSERT_TRUE(found);
    ASSERT_EQ((*found)[0].size(), 1u);
    EXPECT_EQ((*found)[0][0].module, "virtio_console");
    EXPECT_TRUE((*found)[1].empty());
    EXPECT_EQ((*found)[2].size(), 1u);
    EXPECT_TRUE((*found)[3].empty());
}

TEST(FindMany, EndsEarlyAfterGlobalFunctionsOnly) {
    TempRoot root;
    root.put("/proc/kallsyms",
             "ffff000000001000 t stays\nffff000000002000 T ends\nffff000000003000 t ends.part.0\n"
             "ffff000000004000 t stays\n");
    const auto early = find_many(root.get(), {"ends"});
    ASSERT_TRUE(early);
    EXPECT_EQ((*early)[0].size(), 1u) << "what follows is not read";
    const auto whole = find_many(root.get(), {"ends", "stays"});
    ASSERT_TRUE(whole);
    EXPECT_EQ((*whole)[0].size(), 2u);
    EXPECT_EQ((*whole)[1].size(), 2u);
}

std::vector<std::uint64_t> ends_of(const Root& root, const std::string& name) {
    const auto found = find_many(root, {name});
    EXPECT_TRUE(found);
    std::vector<std::uint64_t> ends;
    for (const FoundSymbol& symbol : found->front()) ends.push_back(symbol.end);
    return ends;
}
using Ends = std::vector<std::uint64_t>;

TEST(FindManyEnds, TheNextSymbolEndsAFunction) {
    EXPECT_EQ(ends_of(guest("arm64-6.1"), "ptep_set_access_flags"), Ends{0xffffaf0c6e038bf0});
    EXPECT_EQ(ends_of(guest("arm64-7.3"), "caches_clean_inval_pou"), Ends{0xffffda313ca53598})
        << "not its own second name";
    EXPECT_EQ(ends_of(guest("arm64-7.3"), "flush_tlb_mm"),
              (Ends{0xffffda313cefed50, 0xffffda313cf3d1e8, 0xffffda313d0689c0}));
    EXPECT_EQ(ends_of(guest("arm64-7.3"), "_raw_spin_lock_bh"), Ends{0xffffda313db20000})
        << "data ends it, too";
}

TEST(FindManyEnds, SeveralNamesOfOneAddressHaveOneEnd) {
    TempRoot root;
    root.put("/proc/kallsyms",
             "ffff000000001000 t f\nffff000000001000 t f.isra.0\nffff000000001000 T g\n"
             "ffff000000001000 t $x\nffff000000001004 t $d\nffff000000001010 T h\n");
    EXPECT_EQ(ends_of(root.get(), "f"), (Ends{0xffff000000001010, 0xffff000000001010}));
    const auto both = find_many(root.get(), {"g", "f", "g"});
    ASSERT_TRUE(both);
    for (const auto& found : *both) {
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found.front().end, 0xffff000000001010u);
    }
    EXPECT_EQ(ends_of(root.get(), "h"), Ends{0}) << "nothing follows";
}

TEST(FindManyEnds, ModulesFollowWhereverTheyAre) {
    EXPECT_EQ(ends_of(guest("arm64-6.1"), "show_port_name"), Ends{0xffffaf0c1ebd0060});
    EXPECT_EQ(ends_of(guest("arm64-6.1"), "set_reset_devices"), Ends{0}) << "a module is below";
    EXPECT_EQ(ends_of(guest("arm64-6.1"), "in_intr"), Ends{0}) << "not sorted";
    EXPECT_EQ(ends_of(guest("arm64-6.1"), "out_intr"), Ends{0});
}

TEST(FindMany, HiddenAddressesAreAnError) {
    TempRoot root;
    root.put("/proc/kallsyms", "0000000000000000 A fixed\n0000000000000000 T vfs_read\n");
    const auto found = find_many(root.get(), {"vfs_read"});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ExitCode::kCannotHere);
}

TEST(FindMany, PerCpuSymbolsAtZeroAreNoHiddenAddresses) {
    TempRoot root;
    root.put("/proc/kallsyms", "0000000000000000 A fixed\nffffffff81000000 T vfs_read\n");
    const auto found = find_many(root.get(), {"vfs_read"});
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].size(), 1u);
}

TEST(FindData, FindsDataSymbolsWhereTheyAreListed) {
    const auto recent = find_data(guest("arm64-7.3"), {"has_nmi", "vfs_read"});
    ASSERT_TRUE(recent);
    EXPECT_EQ((*recent)[0], 0xffffda313f2a4a38u);
    EXPECT_EQ((*recent)[1], 0u) << "a function";
    const auto old = find_data(guest("arm64-6.1"), {"has_nmi"});
    ASSERT_TRUE(old);
    EXPECT_EQ((*old)[0], 0u) << "no KALLSYMS_ALL";
}

}  // namespace
}  // namespace kcost::kernel
