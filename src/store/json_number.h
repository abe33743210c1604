// One number out of the JSON that some program printed. Nothing of it is trusted.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kcost {

/// Error: it is no JSON pointer (RFC 6901), such as "/results/0/rate".
Result<void> check_json_pointer(const std::string& pointer);

/// What the pointer leads to in `text`, or in its last line where the text as a whole is no JSON.
/// Error: neither is JSON, there is nothing, or no number.
Result<double> json_number(std::string_view text, const std::string& pointer);

}  // namespace kcost
