#include "store/saved_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/fd.h"
#include "base/text.h"

namespace kcost {
namespace {

std::string hint_for(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "make room, or name a file on another disk";
        case ENOENT:
        case ENOTDIR:
            return "make the folder first, or name a file in one that exists";
        case EACCES:
        case EPERM:
        case EROFS:
            return "name a file in a folder that you may write to";
        default:
            return "name another file";
    }
}

tl::unexpected<Error> cannot_write(const std::string& file, int error) {
    return fail(fmt::format("cannot write {}: {}", escape_for_terminal(file), std::strerror(error)),
                hint_for(error));
}

tl::unexpected<Error> cannot_read(const std::string& file, std::string_view cause,
                                  std::string hint = "") {
    return fail(fmt::format("cannot read {}: {}", escape_for_terminal(file), cause),
                std::move(hint));
}

// A file beside the one that is to be replaced. Gone at the end unless it was renamed.
class Temporary {
public:
    explicit Temporary(const std::string& file) : name_(file + ".XXXXXX") {
        fd_ = Fd(::mkostemp(name_.data(), O_CLOEXEC));
        exists_ = static_cast<bool>(fd_);
    }
    ~Temporary() {
        if (exists_) ::unlink(name_.c_str());
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    // Each returns false with errno set.
    bool open() const { return exists_; }
    bool copy_rights(const struct stat& other) {
        // Only root can give files away; for others the file becomes their own.
        if (::fchown(fd_.get(), other.st_uid, other.st_gid) != 0 && errno != EPERM) return false;
        return ::fchmod(fd_.get(), other.st_mode & 0777) == 0;
    }
    bool write(std::string_view text) {
        while (!text.empty()) {
            const ssize_t written = ::write(fd_.get(), text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return false;
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        return ::fsync(fd_.get()) == 0;
    }
    bool rename_to(const std::string& file) {
        if (::rename(name_.c_str(), file.c_str()) != 0) return false;
        exists_ = false;
        return true;
    }

private:
    std::string name_;
    Fd fd_;
    bool exists_ = false;
};

// What a symbolic link leads to is replaced, not the link.
std::string behind_links(const std::string& file) {
    char* const real = ::realpath(file.c_str(), nullptr);
    const std::string name = real == nullptr ? file : real;
    std::free(real);
    return name;
}

}  // namespace

Result<void> replace_saved_file(const std::string& file, std::string_view text) {
    if (text.size() > kSavedFileMaxBytes) {
        return fail(fmt::format("cannot write {}: it would be larger than {} MiB",
                                escape_for_terminal(file), kSavedFileMaxBytes >> 20),
                    "measure fewer targets, or for a shorter time");
    }
    const std::string real = behind_links(file);
    struct stat old {};
    const bool exists = ::stat(real.c_str(), &old) == 0;
    // Renaming would put a file in the place of a device such as /dev/null.
    if (exists && !S_ISREG(old.st_mode))
        return fail(
            fmt::format("cannot write {}: it is no regular file", escape_for_terminal(file)),
            "name a regular file");

    Temporary temporary(real);
    const bool saved = temporary.open() && (!exists || temporary.copy_rights(old)) &&
                       temporary.write(text) && temporary.rename_to(real);
    if (!saved) return cannot_write(file, errno);
    return {};
}

Result<std::string> read_saved_file(const std::string& file) {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!fd || ::fstat(fd.get(), &info) != 0) {
        const bool rights = errno == EACCES;
        return cannot_read(
            file, std::strerror(errno),
            rights ? "recordings are for their owner: sudo chown it to yourself" : "");
    }
    if (S_ISDIR(info.st_mode)) return cannot_read(file, "it is a directory");
    if (!S_ISREG(info.st_mode)) return cannot_read(file, "it is no regular file");

    const std::string too_large = fmt::format("it is larger than {} MiB", kSavedFileMaxBytes >> 20);
    if (info.st_size > static_cast<off_t>(kSavedFileMaxBytes))
        return cannot_read(file, too_large, "kcost writes no recording of that size");
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t size = 0;
    while (size < text.size()) {  // what is added meanwhile is not read
        const ssize_t got = ::read(fd.get(), text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannot_read(file, std::strerror(errno));
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    if (text.empty()) return cannot_read(file, "it is empty");
    return text;
}

}  // namespace kcost
