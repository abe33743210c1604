#include "export/html.h"

#include "base/text.h"

namespace kcost {
namespace {

const char* reference_of(char c) {
    switch (c) {
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '&':
            return "&amp;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return nullptr;
    }
}

}  // namespace

std::string escape_for_html(std::string_view text) {
    std::string safe;
    for (char c : escape_for_terminal(text)) {
        if (const char* reference = reference_of(c))
            safe += reference;
        else
            safe += c;
    }
    return safe;
}

}  // namespace kcost
