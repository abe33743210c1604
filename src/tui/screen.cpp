#include "tui/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/text.h"

namespace kcost::tui {

Size terminal_size() {
    winsize size{};
    if (!::isatty(STDOUT_FILENO) || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
    return {size.ws_col, size.ws_row};
}

void redraw(const std::string& text, Size size) {
    std::vector<std::string_view> lines = split(text, '\n');
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    std::size_t shown = lines.size();
    if (size.rows > 1 && shown > size.rows - 1) shown = size.rows - 2;
    std::string screen = "\x1b[H";
    for (std::size_t i = 0; i < shown; i++) screen += std::string(lines[i]) + "\x1b[K\n";
    if (shown < lines.size()) {
        screen += "(" + std::to_string(lines.size() - shown) + " more lines)\x1b[K\n";
    }
    screen += "\x1b[J";
    std::fwrite(screen.data(), 1, screen.size(), stdout);
    std::fflush(stdout);
}

}  // namespace kcost::tui
