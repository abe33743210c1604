// A whole file in memory, read as its pages are touched: for files too big to be copied, such as a
// vmlinux with its debug information. One that is cut off while it is mapped ends the program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace kcost {

class MappedFile {
public:
    /// Regular files only. The error names the path and the cause.
    static Result<MappedFile> open(const std::string& path);

    MappedFile(MappedFile&& other) noexcept
        : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::string_view bytes() const { return {static_cast<const char*>(bytes_), size_}; }

private:
    MappedFile(void* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

    void* bytes_;  ///< null: the file is empty
    std::size_t size_;
};

}  // namespace kcost
