// Text from outside inside of an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace kcost {

/// Safe as text and within quoted attributes: what a terminal must not see is \xHH, and < > & " '
/// are references.
std::string escape_for_html(std::string_view text);

}  // namespace kcost
