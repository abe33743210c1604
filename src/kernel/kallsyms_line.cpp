#include "kernel/kallsyms_line.h"

#include <array>
#include <cctype>

namespace kcost::kernel {

namespace {

/// What GCC and clang put behind the name of a function that they changed. Clang's is the hash of
/// a promoted local symbol (ThinLTO).
constexpr std::array<std::string_view, 5> kVariants = {"isra", "constprop", "part", "llvm", "cold"};

bool is_number(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text) {
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
    }
    return true;
}

bool is_variant_part(std::string_view part) {
    for (const std::string_view variant : kVariants) {
        if (part == variant) return true;
    }
    return is_number(part);
}

}  // namespace

std::optional<KallsymsLine> parse_kallsyms_line(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space > 16) return std::nullopt;
    if (line.size() < space + 4 || line[space + 2] != ' ') return std::nullopt;
    KallsymsLine parsed;
    parsed.address = line.substr(0, space);
    parsed.type = line[space + 1];
    parsed.name = line.substr(space + 3);
    const std::size_t tab = parsed.name.find('\t');
    if (tab == std::string_view::npos) return parsed;
    std::string_view module = parsed.name.substr(tab + 1);
    if (module.size() < 3 || module.front() != '[' || module.back() != ']') return std::nullopt;
    parsed.module = module.substr(1, module.size() - 2);
    parsed.name = parsed.name.substr(0, tab);
    if (parsed.name.empty()) return std::nullopt;
    return parsed;
}

std::uint64_t parse_hex(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits) {
        const unsigned digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        value = value << 4 | (digit & 15);
    }
    return value;
}

std::string_view stem_of(std::string_view name) {
    std::size_t end = name.size();
    for (;;) {
        const std::size_t dot = name.substr(0, end).rfind('.');
        if (dot == std::string_view::npos || dot == 0) break;
        if (!is_variant_part(name.substr(dot + 1, end - dot - 1))) break;
        end = dot;
    }
    return name.substr(0, end);
}

bool is_cold(std::string_view name) {
    const std::size_t at = name.rfind(".cold");
    if (at == std::string_view::npos || at == 0) return false;
    const std::string_view rest = name.substr(at + 5);
    return rest.empty() || (rest.front() == '.' && is_number(rest.substr(1)));
}

QualifiedName qualified(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {{}, text};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

Error hidden_addresses() {
    return Error{"cannot read /proc/kallsyms: the kernel shows every address as zero",
                 "sysctl kernel.kptr_restrict=1, and run as root", ExitCode::kCannotHere};
}

}  // namespace kcost::kernel
