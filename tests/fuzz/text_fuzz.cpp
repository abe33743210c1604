// libFuzzer target: any words as a function's text, walked and searched for operations.
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I. tests/fuzz/text_fuzz.cpp
// src/kernel/{a64*,flow,operations,symbols,kallsyms_line,line_reader,similar_name}.cpp
// src/kernel/{live_text,facts,capability,probe_lists}.cpp src/base/*.cpp -lfmt -lspdlog
// -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -o text_fuzz && ./text_fuzz -max_len=4096
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "kernel/operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kcost::kernel::TextRange text;
    text.begin = 0xffff800080010000;
    text.words.resize(size / 4);
    if (!text.words.empty()) std::memcpy(text.words.data(), data, 4 * text.words.size());
    const auto flow = kcost::kernel::Flow::of(text);
    for (const auto& [address, instruction] : flow.instructions()) {
        if (!text.contains(address) || to_string(instruction).empty()) std::abort();
    }
    for (const auto& site : kcost::kernel::operation_sites(flow)) {
        if (!flow.reaches(site.entry) || site.operations.empty()) std::abort();
        for (const std::uint64_t exit : site.exits) {
            if (!flow.reaches(exit)) std::abort();
        }
    }
    return 0;
}
