// The files that kcost writes, whatever is in them: written whole or not at all, read with bounds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kcost {

/// A file above this is refused by both directions, so that reading has bounded memory.
inline constexpr std::size_t kSavedFileMaxBytes = std::size_t{256} << 20;

/// Writes FILE as a whole or not at all: a reader at any moment finds the last saved state. A new
/// file is for its owner only; one that exists keeps its rights.
Result<void> replace_saved_file(const std::string& file, std::string_view text);

/// Regular files only; an empty one is an error.
Result<std::string> read_saved_file(const std::string& file);

}  // namespace kcost
