#include "kernel/live_text.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "kernel/capability.h"

namespace kcost::kernel {
namespace {

constexpr const char* kKcore = "/proc/kcore";
// All text of a kernel is below 64 MB; more than this is a mistake of the caller.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr int kMostReadings = 4;

tl::unexpected<Error> open_failure(const Root& root, int error) {
    const std::string what = "cannot read live kernel text (/proc/kcore): ";
    if (error == ENOENT) {
        return fail(what + "it does not exist", "boot a kernel with CONFIG_PROC_KCORE=y",
                    ExitCode::kCannotHere);
    }
    if (error != EPERM && error != EACCES) return fail(what + std::strerror(error));
    if (!has_capability(root, Capability::kSysRawio)) {
        return fail(what + "CAP_SYS_RAWIO is missing", "run with sudo", ExitCode::kCannotHere);
    }
    if (lockdown_level(root) == "confidentiality") {
        return fail(what + "the kernel is locked down", "boot without lockdown=confidentiality",
                    ExitCode::kCannotHere);
    }
    return fail(what + std::strerror(error), "run outside of the container, or in a privileged one",
                ExitCode::kCannotHere);
}

tl::unexpected<Error> read_failure(std::uint64_t address, int error) {
    const std::string what = fmt::format("cannot read kernel memory at {:#x}: ", address);
    if (error == EFAULT) {
        return fail(what + "nothing is there now", "run again: a module may have been unloaded");
    }
    if (error == EPERM) {
        return fail(what + "the kernel refuses", "boot without lockdown=confidentiality",
                    ExitCode::kCannotHere);
    }
    return fail(what + std::strerror(error));
}

/// Bytes of a file from an offset on: all, or as many as there are. Negative: -errno.
ssize_t read_fully(const Fd& file, char* bytes, std::size_t count, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got =
            ::pread(file.get(), bytes + done, count - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -errno;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
}

bool is_core(const Elf64_Ehdr& header) {
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
           header.e_type == ET_CORE && header.e_phentsize == sizeof(Elf64_Phdr);
}

Result<std::vector<Elf64_Phdr>> read_program_headers(const Fd& file) {
    Elf64_Ehdr header;
    const ssize_t got = read_fully(file, reinterpret_cast<char*>(&header), sizeof(header), 0);
    if (got < 0) return fail(std::string("cannot read /proc/kcore: ") + std::strerror(-got));
    constexpr std::uint64_t kMostOffset = std::numeric_limits<std::int64_t>::max() / 2;
    const bool whole = got == sizeof(header);
    if (!whole || !is_core(header) || header.e_phoff > kMostOffset) {
        return fail("cannot read /proc/kcore: it is not an ELF core file of 64 bits");
    }
    std::vector<Elf64_Phdr> headers(header.e_phnum);  // at most 65535, 3.7 MB
    const std::size_t bytes = headers.size() * sizeof(Elf64_Phdr);
    const ssize_t read =
        read_fully(file, reinterpret_cast<char*>(headers.data()), bytes, header.e_phoff);
    if (read < 0 || static_cast<std::size_t>(read) != bytes) {
        return fail("cannot read /proc/kcore: its program headers are cut off");
    }
    return headers;
}

/// Its bytes are where a file can have them.
bool is_sane(const Elf64_Phdr& header) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return header.p_type == PT_LOAD && header.p_offset <= kMost &&
           header.p_filesz <= kMost - header.p_offset;
}

std::uint64_t little_endian(const char* bytes, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

}  // namespace

std::uint32_t TextRange::word(std::uint64_t address) const {
    const std::uint64_t offset = address - begin;
    if (address < begin || offset % 4 != 0 || offset / 4 >= words.size()) return 0;
    return words[offset / 4];
}

Result<std::string> settled(const std::function<Result<std::string>()>& read_once) {
    Result<std::string> last = read_once();
    for (int reading = 1; last && reading < kMostReadings; ++reading) {
        Result<std::string> now = read_once();
        if (!now || *now == *last) return now;
        last = std::move(now);
    }
    if (!last) return last;
    return fail("cannot read kernel memory: the kernel is patching it",
                "run again when no tracer starts or stops");
}

Result<LiveMemory> LiveMemory::open(const Root& root) {
    LiveMemory memory;
    // A pipe in its place would make open() wait for a writer.
    memory.file_ = Fd(::open(root.at(kKcore).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!memory.file_) return open_failure(root, errno);
    const auto headers = read_program_headers(memory.file_);
    if (!headers) return tl::unexpected<Error>(headers.error());
    for (const Elf64_Phdr& header : *headers) {
        if (!is_sane(header)) continue;
        memory.segments_.push_back({header.p_vaddr, header.p_filesz, header.p_offset});
    }
    if (memory.segments_.empty()) return fail("cannot read /proc/kcore: it holds no memory");
    return memory;
}

Result<std::string> LiveMemory::read_once(std::uint64_t address, std::size_t bytes) const {
    std::string result(bytes, '\0');
    std::size_t done = 0;
    while (done < bytes) {
        const std::uint64_t at = address + done;
        const auto segment = std::find_if(segments_.begin(), segments_.end(), [&](const auto& it) {
            return at >= it.begin && at - it.begin < it.bytes;
        });
        if (segment == segments_.end()) return read_failure(at, EFAULT);
        const std::uint64_t within = at - segment->begin;
        const std::size_t part = std::min<std::uint64_t>(bytes - done, segment->bytes - within);
        const ssize_t got = read_fully(file_, &result[done], part, segment->offset + within);
        if (got < 0) return read_failure(at, static_cast<int>(-got));
        if (static_cast<std::size_t>(got) != part) return read_failure(at + got, EFAULT);
        done += part;
    }
    return result;
}

Result<std::string> LiveMemory::read(std::uint64_t address, std::size_t bytes) const {
    if (bytes > kMostBytes || bytes > ~address) {
        return fail(fmt::format("cannot read {} bytes of kernel memory at {:#x}: too many", bytes,
                                address));
    }
    return settled([&] { return read_once(address, bytes); });
}

Result<TextRange> LiveMemory::text(std::uint64_t begin, std::uint64_t end) const {
    if (begin % 4 != 0 || end % 4 != 0 || end <= begin) {
        return fail(
            fmt::format("cannot read kernel text from {:#x} to {:#x}: no whole words", begin, end));
    }
    const auto bytes = read(begin, end - begin);
    if (!bytes) return tl::unexpected<Error>(bytes.error());
    TextRange range{begin, {}};
    range.words.reserve(bytes->size() / 4);
    for (std::size_t i = 0; i < bytes->size(); i += 4) {
        range.words.push_back(static_cast<std::uint32_t>(little_endian(&(*bytes)[i], 4)));
    }
    return range;
}

Result<std::uint64_t> LiveMemory::read_u64(std::uint64_t address) const {
    const auto bytes = read(address, 8);
    if (!bytes) return tl::unexpected<Error>(bytes.error());
    return little_endian(bytes->data(), 8);
}

}  // namespace kcost::kernel
