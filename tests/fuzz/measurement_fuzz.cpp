// libFuzzer target: any bytes read as a measurement or as an Error, and what reads is written and
// read alike.
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I.
// tests/fuzz/measurement_fuzz.cpp src/{base,model,store}/*.cpp -lfmt -lspdlog
// -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -o measurement_fuzz && ./measurement_fuzz CORPUS
#include <cstdint>
#include <cstdlib>

#include "store/measurement_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto measurement = kcost::decode_measurement(text, "FILE");
    if (!measurement) return 0;
    const std::string written = kcost::encode_measurement(*measurement);
    const auto again = kcost::decode_measurement(written, "FILE");
    if (!again || kcost::encode_measurement(*again) != written) std::abort();
    return 0;
}
