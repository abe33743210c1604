#include <gtest/gtest.h>

#include <limits>

#include "kernel/live_text.h"
#include "kernel_core_file.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kText = 0xffff800080010000;

/// Of the first file that it is asked for; fails the test where it does not open.
LiveMemory open_core(const TempRoot& root) {
    auto memory = LiveMemory::open(root.get());
    EXPECT_TRUE(memory) << memory.error().what;
    return std::move(*memory);
}

std::string error_of(const TempRoot& root) {
    const auto memory = LiveMemory::open(root.get());
    return memory ? "" : memory.error().what;
}

TEST(LiveText, TextRangeTellsItsWords) {
    const TextRange range{kText, {0xd503201f, 0xd65f03c0}};
    EXPECT_EQ(range.end(), kText + 8);
    EXPECT_TRUE(range.contains(kText + 7));
    EXPECT_FALSE(range.contains(kText + 8) || range.contains(kText - 1));
    EXPECT_EQ(range.word(kText + 4), 0xd65f03c0);
    EXPECT_EQ(range.word(kText + 8), 0u);
    EXPECT_EQ(range.word(kText - 4), 0u);
    EXPECT_EQ(range.word(kText + 2), 0u);
}

TEST(LiveText, ReadsFromTheSegmentThatHasTheAddress) {
    TempRoot root;
    const std::string words("\x1f\x20\x03\xd5\xc0\x03\x5f\xd6", 8);
    root.put(kKcore, core_file({{0x1000, "abcdefgh"}, {kText, words}}));
    const LiveMemory memory = open_core(root);
    EXPECT_EQ(memory.read(0x1002, 3).value_or(""), "cde");
    const auto text = memory.text(kText, kText + 8);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->begin, kText);
    EXPECT_EQ(text->words, (std::vector<std::uint32_t>{0xd503201f, 0xd65f03c0}));
    EXPECT_EQ(memory.read_u64(kText).value_or(0), 0xd65f03c0d503201f);
    EXPECT_EQ(memory.read(kText, 0).value_or("x"), "");
}

TEST(LiveText, ReadsOnInAnAdjacentSegment) {
    TempRoot root;
    root.put(kKcore, core_file({{0x1004, "efgh"}, {0x1000, "abcd"}}));
    EXPECT_EQ(open_core(root).read(0x1002, 4).value_or(""), "cdef");
}

TEST(LiveText, HolesAreErrors) {
    TempRoot root;
    root.put(kKcore, core_file({{0x1000, "abcd"}, {0x1008, "ijkl"}}));
    const LiveMemory memory = open_core(root);
    const auto across = memory.read(0x1002, 8);
    ASSERT_FALSE(across);
    EXPECT_EQ(across.error().what, "cannot read kernel memory at 0x1004: nothing is there now");
    EXPECT_FALSE(across.error().hint.empty());
    EXPECT_FALSE(memory.read(0xfff, 2));
    EXPECT_FALSE(memory.read(0x100a, 4));
    EXPECT_FALSE(memory.read_u64(0x1000));
}

TEST(LiveText, WantsWholeWordsAndSaneSizes) {
    TempRoot root;
    root.put(kKcore, core_file({{0x1000, "abcdefgh"}, {~std::uint64_t{7}, "01234567"}}));
    const LiveMemory memory = open_core(root);
    EXPECT_FALSE(memory.text(0x1001, 0x1005));
    EXPECT_FALSE(memory.text(0x1000, 0x1006));
    EXPECT_FALSE(memory.text(0x1004, 0x1000));
    EXPECT_FALSE(memory.text(0x1000, 0x1000));
    EXPECT_FALSE(memory.read(0x1000, std::numeric_limits<std::size_t>::max()));
    EXPECT_FALSE(memory.read(~std::uint64_t{7}, 16));
    EXPECT_EQ(memory.read(~std::uint64_t{7}, 4).value_or(""), "0123");
}

TEST(LiveText, TellsHowToGetAMissingFile) {
    TempRoot root;
    const auto memory = LiveMemory::open(root.get());
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().what, "cannot read live kernel text (/proc/kcore): it does not exist");
    EXPECT_EQ(memory.error().hint, "boot a kernel with CONFIG_PROC_KCORE=y");
    EXPECT_EQ(memory.error().code, ExitCode::kCannotHere);
}

TEST(LiveText, RefusesWhatIsNoCoreFile) {
    const std::string wrong = "cannot read /proc/kcore: it is not an ELF core file of 64 bits";
    TempRoot root;
    EXPECT_EQ(error_of(root.put(kKcore, "")), wrong);
    EXPECT_EQ(error_of(root.put(kKcore, std::string(200, 'x'))), wrong);
    Elf64_Ehdr header = core_header(0);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    EXPECT_EQ(error_of(root.put(kKcore, bytes_of(header))), wrong);
    header = core_header(0);
    header.e_ident[EI_DATA] = ELFDATA2MSB;
    EXPECT_EQ(error_of(root.put(kKcore, bytes_of(header))), wrong);
    header = core_header(0);
    header.e_type = ET_EXEC;
    EXPECT_EQ(error_of(root.put(kKcore, bytes_of(header))), wrong);
    header = core_header(1);
    header.e_phentsize = 8;
    EXPECT_EQ(error_of(root.put(kKcore, bytes_of(header))), wrong);
    header = core_header(1);
    header.e_phoff = ~std::uint64_t{0};
    EXPECT_EQ(error_of(root.put(kKcore, bytes_of(header))), wrong);
}

TEST(LiveText, ChecksCountsAndSizesOfTheFile) {
    TempRoot root;
    root.put(kKcore, bytes_of(core_header(0xffff)) + bytes_of(load_header(0, 4, 0)));
    EXPECT_EQ(error_of(root), "cannot read /proc/kcore: its program headers are cut off");
    root.put(kKcore, bytes_of(core_header(0)));
    EXPECT_EQ(error_of(root), "cannot read /proc/kcore: it holds no memory");
    const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
    root.put(kKcore, bytes_of(core_header(1)) + bytes_of(load_header(0, huge, 0x1000)));
    EXPECT_EQ(error_of(root), "cannot read /proc/kcore: it holds no memory");
    root.put(kKcore, bytes_of(core_header(1)) + bytes_of(load_header(0x1000, 8, huge - 2)));
    EXPECT_EQ(error_of(root), "cannot read /proc/kcore: it holds no memory");
}

TEST(LiveText, ASegmentThatTheFileDoesNotHaveIsAHole) {
    TempRoot root;
    root.put(kKcore, bytes_of(core_header(1)) + bytes_of(load_header(0x1000, 1u << 30, 0x1000)));
    EXPECT_FALSE(open_core(root).read(0x1000, 8));
}

TEST(LiveText, SettlesOnTwoReadingsThatAgree) {
    int readings = 0;
    const auto from = [&](std::vector<std::string> values) {
        readings = 0;
        return settled([&readings, values]() -> Result<std::string> {
            const std::string& value = values.at(readings++);
            if (value == "error") return fail("no");
            return value;
        });
    };
    EXPECT_EQ(from({"a", "a"}).value_or(""), "a");
    EXPECT_EQ(readings, 2);
    EXPECT_EQ(from({"a", "b", "c", "c"}).value_or(""), "c");
    EXPECT_EQ(readings, 4);
    const auto never = from({"a", "b", "a", "b", "b"});
    ASSERT_FALSE(never);
    EXPECT_EQ(never.error().what, "cannot read kernel memory: the kernel is patching it");
    EXPECT_EQ(readings, 4);
    EXPECT_EQ(from({"error"}).error().what, "no");
    EXPECT_EQ(from({"a", "error"}).error().what, "no");
}

}  // namespace
}  // namespace kcost::kernel
