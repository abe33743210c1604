// The file of `kcost measure`: JSON, versioned, one side of a comparison; described in
// docs/measurement-format.md. The reader takes nothing on trust: what it cannot read is an Error
// that names the file and the field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/measurement.h"

namespace kcost {

inline constexpr const char* kMeasurementFormat = "kcost-measurement";

/// Raised when an old reader would misread a file; a new field alone does not raise it.
inline constexpr std::uint64_t kMeasurementVersion = 1;

/// Whole or not at all: see saved_file.h.
Result<void> save_measurement(const model::Measurement& measurement, const std::string& file);

Result<model::Measurement> load_measurement(const std::string& file);

/// The two without the file; `file` is the name for errors.
std::string encode_measurement(const model::Measurement& measurement);
Result<model::Measurement> decode_measurement(std::string_view text, const std::string& file);

}  // namespace kcost
