// How single facts of /proc and /sys are read and told: "unknown" with the reason where they
// cannot be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/root.h"

namespace kcost::kernel {

inline constexpr const char* kUnknown = "unknown";

/// A small file's text, trimmed; "unknown (permission denied)" or the like where it can't be read.
std::string read_fact(const Root& root, std::string_view path);
/// The same with another word where there is no such file.
std::string read_fact_or(const Root& root, std::string_view path, std::string_view absent);

/// "always [madvise] never" → "madvise"; the text itself where nothing is in brackets.
std::string bracketed(std::string text);

/// Names in a folder, numbers in the order of their value (cpu2 before cpu10).
std::vector<std::string> list_folder(const Root& root, std::string_view path);

/// Different values in their order of appearance, "a, b"; "unknown" where there is none.
std::string join_distinct(const std::vector<std::string>& values);

}  // namespace kcost::kernel
