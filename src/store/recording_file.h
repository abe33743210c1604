// The recording file: JSON, versioned, described in docs/recording-format.md. The reader takes
// nothing on trust: what it cannot read is an Error that names the file and the field.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/recording.h"

namespace kcost {

/// Whole or not at all; for its owner only where it is new (saved_file.h), since it holds kernel
/// addresses.
Result<void> save_recording(const model::Recording& recording, const std::string& file);

Result<model::Recording> load_recording(const std::string& file);

/// The two without the file; `file` is the name for errors.
std::string encode_recording(const model::Recording& recording);
Result<model::Recording> decode_recording(std::string_view text, const std::string& file);

}  // namespace kcost
