#include "workload/metric.h"

#include <gtest/gtest.h>

namespace kcost::workload {
namespace {

using Kind = MetricSource::Kind;

std::string told(const MetricSource& source, std::string_view output) {
    const auto value = read_metric(source, output, 1'500'000'000);
    return value ? std::to_string(*value) : value.error().what;
}

std::string by_regex(const std::string& expression, std::string_view output) {
    return told({Kind::kRegex, expression}, output);
}

std::string by_pointer(const std::string& pointer, std::string_view output) {
    return told({Kind::kJson, pointer}, output);
}

TEST(Metric, ElapsedTimeIsInSeconds) { EXPECT_EQ(told({}, "whatever"), "1.500000"); }

TEST(Metric, ByRegularExpression) {
    EXPECT_EQ(by_regex("rate: ([0-9.]+)", "warm-up\nrate: 12.5 M/s\n"), "12.500000");
    EXPECT_EQ(by_regex("[0-9]+", "in all 7"), "7.000000");
    // The last one counts.
    EXPECT_EQ(by_regex("^SET: ([0-9.]+)", "SET: 1.5\nSET: 2.5\nGET: 3.5\n"), "2.500000");
    EXPECT_EQ(by_regex("([0-9.]+)$", "SET 1.5\nGET 2.5\n"), "2.500000");
    EXPECT_EQ(by_regex("x*", ""), "its metric is '', which is no number");
    EXPECT_EQ(by_regex("rate: (.*)", "rate: fast\x1b[31m"),
              "its metric is 'fast\\x1b[31m', which is no number");
    EXPECT_EQ(by_regex("rate", "nothing"), "it printed no metric: nothing matches rate");
    EXPECT_EQ(by_regex("rate: ([0-9]+)", std::string_view("\0rate: 3", 8)), "3.000000");
}

TEST(Metric, NumbersThatMeasureNothing) {
    EXPECT_EQ(by_regex("(.*)", "0"), "its metric is 0, which is no number above 0");
    EXPECT_EQ(by_regex("(.+)", "-3"), "its metric is -3, which is no number above 0");
    EXPECT_EQ(by_regex("(.+)", "nan"), "its metric is nan, which is no number above 0");
    EXPECT_EQ(by_regex("(.+)", "inf"), "its metric is inf, which is no number above 0");
    EXPECT_EQ(by_regex("(.+)", "1e999"), "its metric is '1e999', which is no number");
}

TEST(Metric, ByJsonPointer) {
    EXPECT_EQ(by_pointer("/a/1/b", R"({"a": [0, {"b": 4.5}]})"), "4.500000");
    EXPECT_EQ(by_pointer("", "17"), "17.000000");
    EXPECT_EQ(by_pointer("/a", "progress 1\nprogress 2\n{\"a\": 3}\n"), "3.000000");
    EXPECT_EQ(by_pointer("/a", "no"), "it printed no JSON, as a whole or in its last line");
    EXPECT_EQ(by_pointer("/a", ""), "it printed no JSON, as a whole or in its last line");
    EXPECT_EQ(by_pointer("/b", R"({"a": 3})"), "its JSON has nothing at /b");
    EXPECT_EQ(by_pointer("/a/x", R"({"a": [3]})"), "its JSON has nothing at /a/x");
    EXPECT_EQ(by_pointer("/a", R"({"a": "3"})"), "its JSON has no number at /a");
    EXPECT_EQ(by_pointer("/a", std::string(1'000'000, '[')),
              "it printed no JSON, as a whole or in its last line");
}

TEST(Metric, ExpressionsAreChecked) {
    EXPECT_TRUE(check({Kind::kRegex, "a(b)"}));
    const auto regex = check({Kind::kRegex, "a(b"});
    ASSERT_FALSE(regex);
    EXPECT_EQ(regex.error().code, ExitCode::kUsage);
    EXPECT_TRUE(regex.error().what.starts_with("'a(b' is no regular expression: "));
    EXPECT_TRUE(check({Kind::kJson, "/a/b"}));
    const auto pointer = check({Kind::kJson, "a/b"});
    ASSERT_FALSE(pointer);
    EXPECT_EQ(pointer.error().what, "'a/b' is no JSON pointer");
}

}  // namespace
}  // namespace kcost::workload
