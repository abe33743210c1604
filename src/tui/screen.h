// A screen that is drawn over and over: the simple live view.
#pragma once

#include <string>

namespace kcost::tui {

/// Columns and rows of the terminal on standard output; 0 where it is none.
struct Size {
    unsigned columns = 0;
    unsigned rows = 0;
};
Size terminal_size();

/// Replaces what the terminal shows; lines below its last row are left out, and that is said.
void redraw(const std::string& text, Size size);

}  // namespace kcost::tui
