// Lines of a big file of /proc or tracefs through one buffer: nothing is allocated per line, and
// what is not read the kernel does not have to make.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace kcost::kernel {

class LineReader {
public:
    static Result<LineReader> open(const std::string& path);

    /// The next line without its newline, valid until the next call; none at the end. A line that
    /// does not fit the buffer comes in pieces.
    std::optional<std::string_view> next();
    /// errno of the read that ended the file early, or 0.
    int error() const { return error_; }

private:
    explicit LineReader(Fd fd);
    bool refill();

    Fd fd_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_end_ = false;
    int error_ = 0;
};

}  // namespace kcost::kernel
