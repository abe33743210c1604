// A folder that stands for / in a test, filled file by file and removed behind it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "kernel/root.h"

namespace kcost::kernel {

class TempRoot {
public:
    TempRoot() {
        std::string path = (std::filesystem::temp_directory_path() / "kcost-XXXXXX").string();
        root_.prefix = ::mkdtemp(path.data());
    }
    TempRoot(const TempRoot&) = delete;
    TempRoot& operator=(const TempRoot&) = delete;
    ~TempRoot() {
        std::error_code ignored;
        std::filesystem::remove_all(root_.prefix, ignored);
    }

    TempRoot& put(const std::string& path, const std::string& text) {
        std::filesystem::create_directories(std::filesystem::path(root_.at(path)).parent_path());
        std::ofstream(root_.at(path), std::ios::binary) << text;
        return *this;
    }
    const Root& get() const { return root_; }

private:
    Root root_;
};

/// Cut copies of files of Debian kernels in the lab: 6.1 with -cpu max, 7.3 with -cpu cortex-a72.
inline Root guest(const std::string& name) { return Root{std::string(KCOST_TEST_DATA "/") + name}; }

}  // namespace kcost::kernel
