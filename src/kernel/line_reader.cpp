#include "kernel/line_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kcost::kernel {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

}  // namespace

LineReader::LineReader(Fd fd) : fd_(std::move(fd)), buffer_(kBufferBytes) {}

Result<LineReader> LineReader::open(const std::string& path) {
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return fail("cannot open " + path + ": " + std::strerror(errno));
    return LineReader(std::move(fd));
}

std::optional<std::string_view> LineReader::next() {
    std::size_t searched = 0;
    for (;;) {
        const char* start = buffer_.data() + begin_;
        const std::size_t held = end_ - begin_;
        const void* newline = std::memchr(start + searched, '\n', held - searched);
        if (newline != nullptr) {
            const std::size_t length = static_cast<const char*>(newline) - start;
            begin_ += length + 1;
            return std::string_view(start, length);
        }
        searched = held;
        if (held == buffer_.size() || !refill()) {
            begin_ = end_;
            if (held == 0) return std::nullopt;
            return std::string_view(buffer_.data() + end_ - held, held);
        }
    }
}

/// Moves what is left to the front and reads behind it; false at the end of the file.
bool LineReader::refill() {
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    ssize_t got;
    do {
        got = ::read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) error_ = errno;
    at_end_ = got <= 0;
    if (got > 0) end_ += static_cast<std::size_t>(got);
    return got > 0;
}

}  // namespace kcost::kernel
