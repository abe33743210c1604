// The recording file: JSON, versioned, described in docs/recording-format.md. The reader takes
// nothing on trust: what it cannot read is an Error that names the file and the field.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/recording.h"

namespace kcost {

/// A file above this is refused by both directions, so that reading has bounded memory.
inline constexpr std::size_t kRecordingMaxBytes = std::size_t{256} << 20;

/// Writes FILE as a whole or not at all: a reader at any moment finds the last saved state. A new
/// file is for its owner only, since it holds kernel addresses; one that exists keeps its rights.
Result<void> save_recording(const model::Recording& recording, const std::string& file);

Result<model::Recording> load_recording(const std::string& file);

/// The two without the file; `file` is the name for errors.
std::string encode_recording(const model::Recording& recording);
Result<model::Recording> decode_recording(std::string_view text, const std::string& file);

}  // namespace kcost
