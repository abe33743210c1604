// Small text functions: splitting, escaping what comes from outside, reading whole small files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kcost {

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

/// Decimal or 0x-hexadecimal, the whole text or nothing.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// "4096", "64K", "512M", "1G", "2T": binary multiples, the whole text or nothing.
std::optional<std::uint64_t> parse_bytes(std::string_view text);
std::string format_bytes(double bytes);  ///< "1.00 GiB": three digits

/// Text from outside made safe for a terminal or a log line: control bytes, DEL, C1 controls,
/// bidirectional marks and bytes that are not UTF-8 become \xHH.
std::string escape_for_terminal(std::string_view text);

/// Columns that text takes on a terminal, one a character.
std::size_t display_width(std::string_view text);

/// Any bytes as UTF-8 and back, without loss: a backslash becomes two, a byte that is not part of
/// UTF-8 becomes \xHH. Nothing where a backslash starts neither.
std::string bytes_to_utf8(std::string_view bytes);
std::optional<std::string> utf8_to_bytes(std::string_view text);

/// A ratio as a change: "+121.4%", with more decimals where it would seem to be all: "-99.998%".
/// "unbounded": of what was 0 before.
std::string format_change(double ratio, int decimals);

std::string format_ns(double ns);             ///< "1.23 us": three digits
std::string format_count(double count);       ///< "12.3k"; whole numbers below 1000 as they are
std::string format_percent(double fraction);  ///< 0.1234 is "12.3%"
std::string format_utc(std::int64_t seconds_since_1970);  ///< "2026-11-30T12:00:00Z"

/// Reads all of a file of /proc, /sys or the disk. The error names the path and the cause.
Result<std::string> read_file(const std::string& path);

}  // namespace kcost
