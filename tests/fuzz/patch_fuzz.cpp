// libFuzzer target: any bytes as type information, and as a patch.toml.
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I.
// -DKCOST_BUILD_FOLDER='""' -DKCOST_SOURCE_PATCHES='""' -DKCOST_INSTALLED_PATCHES='""'
// tests/fuzz/patch_fuzz.cpp src/{base,model,kernel,patch}/*.cpp -lfmt -lspdlog -lelf -lcapstone
// -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -o patch_fuzz && ./patch_fuzz CORPUS patches
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernel/btf.h"
#include "patch/patch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto types = kcost::kernel::Btf::parse(text)) {
        types->has_member("uprobe_task", "ri_pool");
        types->has_parameter("f", "dirty");
    }
    static const std::filesystem::path folder = [] {
        std::string path = (std::filesystem::temp_directory_path() / "kcost-XXXXXX").string();
        return std::filesystem::path(::mkdtemp(path.data()));
    }();
    std::ofstream(folder / "patch.toml", std::ios::binary) << text;
    static_cast<void>(kcost::patch::read_patch(folder.string()));
    return 0;
}
