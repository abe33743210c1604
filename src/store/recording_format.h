// What the writer and the reader of the recording file share; the format is described in
// docs/recording-format.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kcost {

inline constexpr const char* kRecordingFormat = "kcost-recording";

/// Raised when an old reader would misread a file; a new field alone does not raise it.
inline constexpr std::uint64_t kRecordingVersion = 1;

/// The words for model::Loss::Kind, in its order.
inline constexpr std::array<std::string_view, 3> kLossKinds = {"entry", "unseen", "other"};

}  // namespace kcost
