#include "store/recording_file.h"

#include "store/saved_file.h"

namespace kcost {

Result<void> save_recording(const model::Recording& recording, const std::string& file) {
    return replace_saved_file(file, encode_recording(recording));
}

Result<model::Recording> load_recording(const std::string& file) {
    auto text = read_saved_file(file);
    if (!text) return tl::unexpected(text.error());
    return decode_recording(*text, file);
}

}  // namespace kcost
