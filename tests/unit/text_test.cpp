#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kcost {
namespace {

TEST(Text, SplitKeepsEmptyParts) {
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
    EXPECT_EQ(trim(" \ta b\n"), "a b");
    EXPECT_EQ(trim("  "), "");
}

TEST(Text, AChangeThatIsAlmostAllIsNotAll) {
    EXPECT_EQ(format_change(2.214, 1), "+121.4%");
    EXPECT_EQ(format_change(1, 2), "+0.00%");
    EXPECT_EQ(format_change(0.5, 1), "-50.0%");
    EXPECT_EQ(format_change(0.0004, 1), "-99.96%");
    EXPECT_EQ(format_change(0.00002, 2), "-99.998%");
    EXPECT_EQ(format_change(1e-12, 2), "-100.000000%");
    EXPECT_EQ(format_change(0, 2), "-100%");
    EXPECT_EQ(format_change(HUGE_VAL, 1), "unbounded");
}

TEST(Text, ParseNumberTakesTheWholeTextOrNothing) {
    EXPECT_EQ(parse_number("0"), 0u);
    EXPECT_EQ(parse_number("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_number("0xFf"), 255u);
    for (const char* bad : {"", " 1", "1 ", "-1", "+1", "0x", "1.0", "18446744073709551616", "ff"})
        EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
}

TEST(Text, ParseBytesKnowsBinaryMultiples) {
    EXPECT_EQ(parse_bytes("4096"), 4096u);
    EXPECT_EQ(parse_bytes("64K"), 65536u);
    EXPECT_EQ(parse_bytes("3M"), 3u << 20);
    EXPECT_EQ(parse_bytes("1G"), 1u << 30);
    EXPECT_EQ(parse_bytes("2T"), 2ull << 40);
    for (const char* bad : {"", "G", "1 G", "1GB", "1k", "-1M", "1.5G", "99999999999T"})
        EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1 << 20), "1.00 MiB");
    EXPECT_EQ(format_bytes(1.5 * (1 << 30)), "1.50 GiB");
}

TEST(Text, EscapeForTerminal) {
    EXPECT_EQ(escape_for_terminal("a\\b Grüße 日本 \U0001f600"), "a\\b Grüße 日本 \U0001f600");
    EXPECT_EQ(escape_for_terminal("\x1b[31m\n\x7f"), "\\x1b[31m\\x0a\\x7f");
    EXPECT_EQ(escape_for_terminal("\xc2\x9b"), "\\xc2\\x9b");           // C1: CSI
    EXPECT_EQ(escape_for_terminal("\u202eabc"), "\\xe2\\x80\\xaeabc");  // right to left
    EXPECT_EQ(escape_for_terminal("\xff\xc3"), "\\xff\\xc3");           // not UTF-8, cut short
    EXPECT_EQ(escape_for_terminal("\xc0\xaf"), "\\xc0\\xaf");           // overlong
    EXPECT_EQ(escape_for_terminal("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
    EXPECT_EQ(escape_for_terminal("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(escape_for_terminal(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(display_width("Grüße"), 5u);
}

TEST(Text, AnyBytesSurviveUtf8) {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    all += "\\x41 \\\\ Grüße \xe2\x82";
    EXPECT_EQ(utf8_to_bytes(bytes_to_utf8(all)), all);
    EXPECT_EQ(bytes_to_utf8("a\\b\xff"), "a\\\\b\\xff");
    for (const char* bad : {"\\", "\\q", "\\x", "\\x4", "\\xg0"})
        EXPECT_EQ(utf8_to_bytes(bad), std::nullopt) << bad;
}

TEST(Text, Formats) {
    EXPECT_EQ(format_ns(0), "0 ns");
    EXPECT_EQ(format_ns(9.994), "9.99 ns");
    EXPECT_EQ(format_ns(9.996), "10.0 ns");
    EXPECT_EQ(format_ns(999.4), "999 ns");
    EXPECT_EQ(format_ns(999.6), "1.00 us");
    EXPECT_EQ(format_ns(1234), "1.23 us");
    EXPECT_EQ(format_ns(12'345'678), "12.3 ms");
    EXPECT_EQ(format_ns(3.6e12), "3600 s");
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(23), "23");
    EXPECT_EQ(format_count(0.25), "0.25");
    EXPECT_EQ(format_count(12345), "12.3k");
    EXPECT_EQ(format_count(999'999), "1.00M");
    EXPECT_EQ(format_count(18446744073709551615.0), "18.4E");
    EXPECT_EQ(format_percent(0), "0%");
    EXPECT_EQ(format_percent(0.1234), "12.3%");
    EXPECT_EQ(format_percent(0.01234), "1.23%");
    EXPECT_EQ(format_percent(0.001234), "0.123%");
    EXPECT_EQ(format_percent(1e-9), "<0.001%");
    EXPECT_EQ(format_percent(1), "100%");
    EXPECT_EQ(format_utc(1796040000), "2026-11-30T12:00:00Z");
}

TEST(Text, ReadFile) {
    EXPECT_TRUE(read_file("/proc/self/status"));
    const auto missing = read_file("/nonexistent/file");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().what, "cannot read /nonexistent/file: No such file or directory");
    EXPECT_FALSE(read_file("/"));
}

}  // namespace
}  // namespace kcost
