#include <gtest/gtest.h>

#include "kernel/kallsyms_line.h"
#include "kernel/symbols.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

std::string resolved(const Symbols& symbols, std::uint64_t address) {
    const auto location = symbols.resolve(address);
    return location ? to_string(*location) : "none";
}

Symbols read(const Root& root) {
    auto symbols = Symbols::read(root);
    EXPECT_TRUE(symbols) << symbols.error().what;
    return symbols ? std::move(*symbols) : Symbols();
}

TEST(KallsymsLine, ParsesKernelAndModuleLines) {
    const auto kernel = parse_kallsyms_line("ffff800080010000 T _stext");
    ASSERT_TRUE(kernel);
    EXPECT_EQ(parse_hex(kernel->address), 0xffff800080010000u);
    EXPECT_EQ(kernel->name, "_stext");
    EXPECT_TRUE(kernel->is_global());
    const auto module = parse_kallsyms_line("ffffaf0c1ebd0020 t show_port_name\t[virtio_console]");
    ASSERT_TRUE(module);
    EXPECT_EQ(module->name, "show_port_name");
    EXPECT_EQ(module->module, "virtio_console");
    EXPECT_TRUE(module->is_text());
    EXPECT_FALSE(module->is_global());
}

TEST(KallsymsLine, RefusesWhatIsNotALine) {
    for (const char* line :
         {"", " ", "12", "ffff T", "ffff T ", "0123456789abcdef01 T name", "ffff Tname",
          "ffff t \t[module]", "ffff t name\t[", "ffff t name\tx"}) {
        EXPECT_FALSE(parse_kallsyms_line(line)) << line;
    }
}

TEST(KernelName, StemLosesWhatCompilersAdd) {
    EXPECT_EQ(stem_of("finish_task_switch.isra.0"), "finish_task_switch");
    EXPECT_EQ(stem_of("a.constprop.0.isra.0"), "a");
    EXPECT_EQ(stem_of("a.part.12.cold"), "a");
    EXPECT_EQ(stem_of("a.llvm.12345678901234567890"), "a");
    EXPECT_EQ(stem_of("plain"), "plain");
    EXPECT_EQ(stem_of("a.cfi_jt"), "a.cfi_jt");
    EXPECT_EQ(stem_of(".0"), ".0");
    EXPECT_TRUE(is_cold("a.cold"));
    EXPECT_TRUE(is_cold("a.part.0.cold"));
    EXPECT_TRUE(is_cold("a.cold.3"));
    EXPECT_FALSE(is_cold("a.colder"));
    EXPECT_FALSE(is_cold("cold"));
}

TEST(Symbols, ResolvesAddresses) {
    const Symbols symbols = read(guest("arm64-6.1"));
    EXPECT_EQ(resolved(symbols, 0xffffaf0c6e03bfc0), "check_and_switch_context");
    EXPECT_EQ(resolved(symbols, 0xffffaf0c6e03bfc0 + 0x38), "check_and_switch_context+0x38");
    EXPECT_EQ(resolved(symbols, 0xffffaf0c1ebd0024), "show_port_name+0x4 [virtio_console]");
    EXPECT_EQ(resolved(symbols, 0x1000), "none");
}

TEST(Symbols, PrefersPlainGlobalNames) {
    const Symbols old = read(guest("arm64-6.1"));
    EXPECT_EQ(resolved(old, 0xffffaf0c6e010000), "gic_handle_irq") << "not a mark of a section";
    EXPECT_EQ(resolved(old, 0xffffaf0c6eb72850), "__memcpy") << "the first of the global ones";
    const Symbols recent = read(guest("arm64-7.3"));
    EXPECT_EQ(resolved(recent, 0xffffda313ca53510), "caches_clean_inval_pou") << "not __pi_";
}

TEST(Symbols, TextEndsWhereDataBegins) {
    const Symbols symbols = read(guest("arm64-7.3"));
    EXPECT_EQ(resolved(symbols, 0xffffda313db20000), "none");
    EXPECT_EQ(resolved(symbols, 0xffffda313ed00b98), "none");
}

TEST(Symbols, TellsWhereTheKernelsTextIs) {
    using Range = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(read(guest("arm64-6.1")).kernel_text(),
              (Range{0xffffaf0c6e010000, 0xffffaf0c6ebe0000}));
    EXPECT_EQ(read(guest("arm64-7.3")).kernel_text(),
              (Range{0xffffda313ca10000, 0xffffda313db20000}));
    TempRoot root;
    const auto text_of = [&](const std::string& lines) {
        root.put("/proc/kallsyms", lines);
        return read(root.get()).kernel_text();
    };
    EXPECT_EQ(text_of("ffff000000001000 T f\nffff000000002000 D _etext\n"), (Range{0, 0}));
    EXPECT_EQ(text_of("ffff000000000100 t a\nffff000000000200 d b\nffff000000001000 T _stext\n"
                      "ffff000000001000 T f\nffff000000001800 T g\nffff000000002000 D _etext\n"
                      "ffff000000003000 T _sinittext\nffff000000003800 D _einittext\n"
                      "ffff000000000800 t m\t[mod]\nffff000000000900 d n\t[mod]\n"),
              (Range{0xffff000000001000, 0xffff000000002000}));
    EXPECT_EQ(text_of("ffff000000001000 T _stext\nffff000000001800 T last\n"),
              (Range{0xffff000000001000, 0xffff000000001800}))
        << "where nothing follows, what the last one holds is not known";
}

TEST(Symbols, SortsModulesAndTellsSizes) {
    const Symbols symbols = read(guest("arm64-6.1"));
    // In kallsyms out_intr, at a lower address, stands behind in_intr.
    EXPECT_EQ(resolved(symbols, 0xffffaf0c1ebd11d4), "out_intr+0x4 [virtio_console]");
    const auto found = symbols.find("cpu_do_switch_mm");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].size, 0x70u);
    EXPECT_TRUE(found[0].global);
}

TEST(Symbols, SkipsMappingSymbols) {
    const Symbols symbols = read(guest("arm64-6.1"));
    EXPECT_EQ(resolved(symbols, 0xffffaf0c1ebd0000), "notifier_del_vio [virtio_console]");
    EXPECT_TRUE(symbols.find("$x").empty());
}

TEST(Symbols, FindsAllOfANameAndItsVariants) {
    const Symbols symbols = read(guest("arm64-7.3"));
    EXPECT_EQ(symbols.find("flush_tlb_mm").size(), 3u);
    EXPECT_TRUE(symbols.find("has_nmi").empty()) << "data";
    EXPECT_TRUE(symbols.find("finish_task_switch").empty());
    const auto variants = symbols.find_variants("finish_task_switch");
    ASSERT_EQ(variants.size(), 1u);
    EXPECT_EQ(variants[0].name, "finish_task_switch.isra.0");
    EXPECT_EQ(symbols.find_variants("__flush_tlb_range").size(), 1u);
}

TEST(Symbols, FindsWithinAModule) {
    const Symbols symbols = read(guest("arm64-6.1"));
    EXPECT_EQ(symbols.find("virtio_console:init_vqs").size(), 1u);
    EXPECT_EQ(symbols.find("init_vqs").size(), 1u);
    EXPECT_TRUE(symbols.find("virtio_blk:init_vqs").empty());
    EXPECT_EQ(symbols.find_variants("virtio_console:free_buf").size(), 1u);
}

TEST(Symbols, ColdPiecesOnlyWhereAskedFor) {
    TempRoot root;
    root.put("/proc/kallsyms",
             "ffff000000001000 t f.part.0\nffff000000002000 t f.part.0.cold\n"
             "ffff000000003000 t f_other\n");
    const Symbols symbols = read(root.get());
    EXPECT_EQ(symbols.find_variants("f").size(), 1u);
    EXPECT_EQ(symbols.find_variants("f", true).size(), 2u);
    EXPECT_EQ(symbols.match("f*").size(), 2u);
}

TEST(Symbols, MatchesGlobsWithoutAliases) {
    const Symbols symbols = read(guest("arm64-7.3"));
    const auto found = symbols.match("*caches_clean*pou");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, "caches_clean_inval_pou");
    EXPECT_EQ(symbols.match("finish_task_switch").size(), 1u);
    EXPECT_TRUE(symbols.match("_text").empty());
}

TEST(Symbols, OffersTheNearestNames) {
    const Symbols symbols = read(guest("arm64-6.1"));
    EXPECT_EQ(symbols.nearest("chek_and_switch_context", 3).at(0), "check_and_switch_context");
    EXPECT_EQ(symbols.nearest("sync_icache_alias", 3).at(0), "sync_icache_aliases");
    EXPECT_EQ(symbols.nearest("finish_task_swich", 3).at(0), "finish_task_switch");
    EXPECT_EQ(symbols.nearest("caches_clean", 1).at(0), "caches_clean_inval_pou") << "a beginning";
    EXPECT_TRUE(symbols.nearest("xyzzy", 3).empty());
    EXPECT_EQ(symbols.nearest("vfs_rea", 1).size(), 1u);
    EXPECT_TRUE(symbols.nearest("vfs_rea", 0).empty());
}

TEST(Symbols, HiddenAddressesAreAnErrorWithARemedy) {
    TempRoot root;
    root.put("/proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T vfs_read\n");
    const auto symbols = Symbols::read(root.get());
    ASSERT_FALSE(symbols);
    EXPECT_EQ(symbols.error().code, ExitCode::kCannotHere);
    EXPECT_NE(symbols.error().hint.find("kptr_restrict=1"), std::string::npos);
}

TEST(Symbols, MissingOrEmptyFileIsAnError) {
    TempRoot root;
    EXPECT_FALSE(Symbols::read(root.get()));
    root.put("/proc/kallsyms", "garbage\n\nffff d data\n");
    EXPECT_FALSE(Symbols::read(root.get()));
}

}  // namespace
}  // namespace kcost::kernel
