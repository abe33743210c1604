#include "export/boot_plan_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace kcost {
namespace {

constexpr const char* kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

std::string shell_word(const std::string& word) {
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

// systemd takes % for a specifier, $ for a variable, and C's escapes in quotes.
std::string unit_word(const std::string& word) {
    std::string quoted = "\"";
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '$')
            quoted += std::string(2, c);
        else if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            quoted += fmt::format("\\x{:02x}", byte);
        else
            quoted += c;
    }
    return quoted + "\"";
}

// The rest of its line is the path; only % means something.
std::string unit_path(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

}  // namespace

std::string shell_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
    return text;
}

std::string render_boot_plan(const std::vector<bool>& after, std::uint64_t seed,
                             const std::vector<std::string>& command) {
    std::string out = fmt::format(
        "{} boots in random blocks of one before and one after; seed {}\n", after.size(), seed);
    const auto mark = std::find(command.begin(), command.end(), "--");
    const std::string words = shell_words({command.begin(), mark});
    const std::string behind =
        mark == command.end() ? "" : " " + shell_words({mark, command.end()});
    for (std::size_t i = 0; i < after.size(); i++) {
        const char* side = after[i] ? "after" : "before";
        out += fmt::format("{:>4}  boot the kernel {:<7} {} -o {}.kcost{}\n", i + 1,
                           after[i] ? "after:" : "before:", words, side, behind);
    }
    return out + "then  kcost confirm before.kcost after.kcost\n";
}

std::string render_systemd_unit(const std::vector<std::string>& command,
                                const std::string& folder) {
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + unit_word(word);
    return "# Written by kcost measure --install-unit.\n"
           "[Unit]\n"
           "Description=kcost: measure this boot\n"
           "After=multi-user.target\n"
           "\n"
           "[Service]\n"
           "Type=oneshot\n"
           "ExecStart=" +
           line + "\nWorkingDirectory=" + unit_path(folder) +
           "\n"
           "TimeoutStartSec=infinity\n"
           "\n"
           "[Install]\n"
           "WantedBy=multi-user.target\n";
}

}  // namespace kcost
