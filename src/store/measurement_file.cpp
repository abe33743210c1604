#include "store/measurement_file.h"

#include "store/saved_file.h"

namespace kcost {

Result<void> save_measurement(const model::Measurement& measurement, const std::string& file) {
    return replace_saved_file(file, encode_measurement(measurement));
}

Result<model::Measurement> load_measurement(const std::string& file) {
    auto text = read_saved_file(file);
    if (!text) return tl::unexpected(text.error());
    return decode_measurement(*text, file);
}

}  // namespace kcost
