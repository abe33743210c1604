// libFuzzer target: any bytes as a kernel's file, and as what is in it.
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I.
// tests/fuzz/image_fuzz.cpp src/{base,model,kernel}/*.cpp -lfmt -lspdlog -lelf -lcapstone -lz
// -lzstd -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -o image_fuzz && ./image_fuzz -max_len=65536
// CORPUS
#include <cstdint>
#include <cstdlib>
#include <string>

#include "kernel/image_file.h"
#include "kernel/image_kallsyms.h"
#include "kernel/kernel_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kcost::kernel;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    auto read = read_image_file(bytes);
    KernelImage image{"image", read ? std::move(read->bytes) : bytes, 0, {}, ""};
    if (read) {
        image.base = read->base;
        image.symbols = std::move(read->symbols);
    }
    const auto kallsyms = read_image_kallsyms(image.bytes);
    if (kallsyms && image.symbols.empty()) {
        image.base = kallsyms->base;
        image.symbols = kallsyms->symbols;
    }
    const auto text = text_of(image);
    if (text && text->text.words.empty()) std::abort();
    static_cast<void>(types_of(image));
    return 0;
}
