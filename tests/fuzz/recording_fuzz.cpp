// libFuzzer target: any bytes read as a recording or as an Error, and what reads can be shown.
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I.
// tests/fuzz/recording_fuzz.cpp src/{base,model,store,analyse,export}/*.cpp -lfmt -lspdlog
// -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -o recording_fuzz && ./recording_fuzz CORPUS
// tests/golden
#include <cstdint>
#include <cstdlib>

#include "analyse/report.h"
#include "export/export.h"
#include "store/recording_file.h"

namespace kcost {
extern const Export kExportFolded;
extern const Export kExportJson;
extern const Export kExportTable;
}  // namespace kcost

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto recording = kcost::decode_recording(text, "FILE");
    if (!recording) return 0;
    const auto report = kcost::make_report(*recording);
    for (const auto* format : {&kcost::kExportFolded, &kcost::kExportJson, &kcost::kExportTable})
        (void)format->render(report, {});
    // What was read is written and read alike.
    const std::string written = kcost::encode_recording(*recording);
    const auto again = kcost::decode_recording(written, "FILE");
    if (!again || kcost::encode_recording(*again) != written) std::abort();
    return 0;
}
