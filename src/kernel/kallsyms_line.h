// One line of /proc/kallsyms, and what the parts of a kernel name mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace kcost::kernel {

/// "ffff800080010000 T name" or "ffff800079a1c000 t name\t[module]".
struct KallsymsLine {
    std::string_view address;  ///< hexadecimal
    char type = 0;
    std::string_view name;
    std::string_view module;  ///< without brackets; empty: the kernel itself

    bool is_text() const { return type == 'T' || type == 't' || type == 'W' || type == 'w'; }
    bool is_global() const { return type == 'T' || type == 'W'; }
    /// $x and $d tell code from data within a section (Arm's ELF ABI); no function has that name.
    bool is_mapping() const { return name.front() == '$'; }
    bool is_hidden() const { return address.find_first_not_of('0') == std::string_view::npos; }
};

std::optional<KallsymsLine> parse_kallsyms_line(std::string_view line);
std::uint64_t parse_hex(std::string_view digits);

/// Name without what the compiler put behind it: "finish_task_switch.isra.0" → without ".isra.0".
std::string_view stem_of(std::string_view name);
/// A cold piece (NAME.cold, NAME.isra.0.cold): reached by a jump, so no call can be counted there.
bool is_cold(std::string_view name);
/// "module:name" → {module, name}; a plain name has no module.
struct QualifiedName {
    std::string_view module;
    std::string_view name;
};
QualifiedName qualified(std::string_view text);

/// The error for addresses that the kernel shows as zero.
Error hidden_addresses();

}  // namespace kcost::kernel
