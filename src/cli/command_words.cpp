#include "cli/command_words.h"

#include <algorithm>

#include "base/text.h"

namespace kcost {

Words part_words(const std::vector<std::string>& positional, const std::vector<std::string>& line) {
    const auto mark = std::find(line.begin(), line.end(), "--");
    const auto begin = mark == line.end() ? mark : mark + 1;
    const std::size_t behind =
        std::min(static_cast<std::size_t>(line.end() - begin), positional.size());
    return {{positional.begin(), positional.end() - static_cast<std::ptrdiff_t>(behind)},
            {begin, line.end()}};
}

std::vector<std::string> words_for_parser(const std::vector<std::string>& line) {
    std::vector<std::string> words = line;
    const auto mark = std::find(words.begin(), words.end(), "--");
    for (auto it = mark; it != words.end(); ++it)
        if (it->starts_with('[') && it->ends_with(']')) *it = "COMMAND";
    return words;
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
