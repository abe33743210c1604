#include "probe/libbpf.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/log.h"
#include "base/text.h"

namespace kcost::probe {
namespace {

// The kernel's own number, which the C library has no text for.
constexpr int kENotSupp = 524;

std::string g_warnings;

int keep_message(libbpf_print_level level, const char* format, va_list arguments) {
    if (level == LIBBPF_DEBUG) return 0;
    // A verifier's log comes as one message of any length.
    char* message = nullptr;
    if (::vasprintf(&message, format, arguments) < 0) return 0;
    if (level == LIBBPF_WARN) g_warnings += message;
    for (std::string_view line : split(trim(message), '\n')) log::debug(line);
    std::free(message);
    return 0;
}

std::string error_text(int error) {
    if (error == kENotSupp) return "not supported by this kernel (ENOTSUPP)";
    return std::strerror(error);
}

std::size_t whole_pages(std::size_t bytes) {
    std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

}  // namespace

void take_over_libbpf_messages() { libbpf_set_print(keep_message); }

std::string explain_libbpf_failure(int error) {
    std::string warnings = std::exchange(g_warnings, "");
    // The verifier's log ends with the reason, before its count of instructions.
    std::string reason;
    bool in_verifier_log = false;
    for (std::string_view line : split(warnings, '\n')) {
        if (line.find("BEGIN PROG LOAD LOG") != std::string_view::npos) in_verifier_log = true;
        if (line.find("END PROG LOAD LOG") != std::string_view::npos) in_verifier_log = false;
        bool counts = line.find("processed ") == 0 || line.find("-- ") == 0;
        if (in_verifier_log && !line.empty() && !counts) reason = line;
    }
    std::string text = error_text(error < 0 ? -error : error);
    return reason.empty() ? text : text + ": " + escape_for_terminal(reason);
}

Result<MappedMap> MappedMap::map(int map_fd, std::size_t bytes) {
    MappedMap map;
    map.bytes_ = whole_pages(bytes);
    map.memory_ = ::mmap(nullptr, map.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
    if (map.memory_ == MAP_FAILED) {
        map.memory_ = nullptr;
        return fail(std::string("cannot map a BPF map: ") + std::strerror(errno));
    }
    return map;
}

MappedMap::MappedMap(MappedMap&& other) noexcept { *this = std::move(other); }

MappedMap& MappedMap::operator=(MappedMap&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedMap::~MappedMap() {
    if (memory_) ::munmap(memory_, bytes_);
}

}  // namespace kcost::probe
