#include "base/text.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>

#include "base/fd.h"

namespace kcost {
namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

// Strict: no overlong forms, no surrogates, nothing above U+10FFFF, as JSON libraries demand.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
    return {code, bytes};
}

bool unsafe_on_terminal(std::uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool line = code == 0x2028 || code == 0x2029;
    const bool bidirectional = code == 0x61c || code == 0x200e || code == 0x200f ||
                               (code >= 0x202a && code <= 0x202e) ||
                               (code >= 0x2066 && code <= 0x2069);
    return control || line || bidirectional;
}

void append_hex(std::string& to, std::string_view bytes) {
    for (char byte : bytes) to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Three significant digits in the first unit where they are less than 1000 after rounding.
template <std::size_t N>
std::string three_digits(double value, double step, const std::array<const char*, N>& units) {
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < N) {
        value /= step;
        ++unit;
    }
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", value, decimals, units[unit]);
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.back());
    const unsigned shift = unit == kUnits.npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    if (shift > 0) text.remove_suffix(1);
    const auto number = parse_number(text);
    if (!number || *number > UINT64_MAX >> shift) return std::nullopt;
    return *number << shift;
}

std::string escape_for_terminal(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_character(text);
        const std::string_view bytes = text.substr(0, c.bytes == 0 ? 1 : c.bytes);
        if (c.bytes == 0 || unsafe_on_terminal(c.code))
            append_hex(safe, bytes);
        else
            safe += bytes;
        text.remove_prefix(bytes.size());
    }
    return safe;
}

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    for (char byte : text) columns += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    return columns;
}

std::string bytes_to_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Character c = first_character(bytes);
        const std::string_view here = bytes.substr(0, c.bytes == 0 ? 1 : c.bytes);
        if (c.bytes == 0)
            append_hex(text, here);
        else if (c.code == '\\')
            text += "\\\\";
        else
            text += here;
        bytes.remove_prefix(here.size());
    }
    return text;
}

std::optional<std::string> utf8_to_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find('\\'), text.size());
        bytes += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        if (text.starts_with("\\\\")) {
            bytes += '\\';
            text.remove_prefix(2);
            continue;
        }
        const bool long_enough = text.size() >= 4 && text[1] == 'x';
        const int high = long_enough ? hex_digit(text[2]) : -1;
        const int low = long_enough ? hex_digit(text[3]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
        text.remove_prefix(4);
    }
    return bytes;
}

std::string format_change(double ratio, int decimals) {
    constexpr int kMostDecimals = 6;
    constexpr double kAll = -100;
    if (!std::isfinite(ratio)) return "unbounded";
    if (ratio <= 0) return "-100%";
    const double percent = 100 * (ratio - 1);
    const auto seems_all = [&] { return percent - kAll < 0.5 * std::pow(10, -decimals); };
    while (seems_all() && decimals < kMostDecimals) ++decimals;
    return fmt::format("{:+.{}f}%", percent, decimals);
}

std::string format_ns(double ns) {
    if (!(ns > 0)) return "0 ns";
    if (ns >= 999.5e9) return fmt::format("{:.0f} s", ns / 1e9);
    constexpr std::array<const char*, 4> kUnits = {" ns", " us", " ms", " s"};
    return three_digits(ns, 1000, kUnits);
}

std::string format_bytes(double bytes) {
    constexpr std::array<const char*, 5> kUnits = {" B", " KiB", " MiB", " GiB", " TiB"};
    return bytes < 1024 ? fmt::format("{:.0f} B", bytes) : three_digits(bytes, 1024, kUnits);
}

std::string format_count(double count) {
    if (!(count > 0)) return "0";
    if (count < 1000 && count == std::floor(count)) return fmt::format("{:.0f}", count);
    constexpr std::array<const char*, 7> kUnits = {"", "k", "M", "G", "T", "P", "E"};
    return three_digits(count, 1000, kUnits);
}

std::string format_percent(double fraction) {
    const double percent = fraction * 100;
    if (!(percent > 0)) return "0%";
    if (percent < 0.0005) return "<0.001%";
    const int decimals = percent < 0.9995 ? 3 : percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}%", percent, decimals);
}

std::string format_utc(std::int64_t seconds_since_1970) {
    const auto time = static_cast<std::time_t>(seconds_since_1970);
    std::tm parts{};
    if (gmtime_r(&time, &parts) == nullptr) return "unknown time";
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900L,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Result<std::string> read_file(const std::string& path) {
    const auto cannot = [&] {
        return fail(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    };
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return cannot();
    std::string text;
    std::array<char, 65536> piece;
    for (;;) {
        const ssize_t got = ::read(file.get(), piece.data(), piece.size());
        if (got == 0) return text;
        if (got > 0)
            text.append(piece.data(), static_cast<std::size_t>(got));
        else if (errno != EINTR)
            return cannot();
    }
}

}  // namespace kcost
