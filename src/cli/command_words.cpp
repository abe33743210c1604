#include "cli/command_words.h"

#include <algorithm>

#include "base/text.h"

namespace kcost {

Words part_words(const std::vector<std::string>& positional, const std::vector<std::string>& line) {
    const auto mark = std::find(line.begin(), line.end(), "--");
    const std::size_t behind =
        mark == line.end() ? 0 : static_cast<std::size_t>(line.end() - mark) - 1;
    const auto begin =
        positional.end() - static_cast<std::ptrdiff_t>(std::min(behind, positional.size()));
    return {{positional.begin(), begin}, {begin, positional.end()}};
}

Result<std::vector<std::string>> own_command_line() {
    auto text = read_file("/proc/self/cmdline");
    if (!text) return tl::unexpected(text.error());
    std::vector<std::string> words;
    for (std::string_view word : split(*text, '\0')) words.emplace_back(word);
    if (!words.empty()) words.pop_back();  // behind the last NUL
    return words;
}

}  // namespace kcost
