#include "workload/slot_flush.h"

#if !defined(__aarch64__)

namespace kcost::workload {

Result<void> slot_flush(std::uint32_t) {
    return fail("cannot flush uprobe slots: only on arm64", "", ExitCode::kCannotHere);
}

}  // namespace kcost::workload

#else

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/fd.h"
#include "base/text.h"
#include "kernel/user_maps.h"

// Written out, so that neither the optimiser nor -mbranch-protection chooses the first word.
asm(".pushsection .text\n.balign 16\n"
    ".globl kcost_first_push\n.type kcost_first_push, %function\n"
    "kcost_first_push: stp x29, x30, [sp, #-16]!\n ldp x29, x30, [sp], #16\n ret\n"
    ".size kcost_first_push, . - kcost_first_push\n"
    ".popsection\n");
extern "C" void kcost_first_push();

namespace kcost::workload {
namespace {

constexpr const char* kPmu = "/sys/bus/event_source/devices/uprobe/type";
constexpr const char* kOwnProgram = "/proc/self/exe";

std::optional<std::uint64_t> file_offset(void (*function)()) {
    auto maps = kernel::UserMaps::read({}, static_cast<std::uint32_t>(::getpid()));
    if (!maps) return std::nullopt;
    return maps->file_offset(reinterpret_cast<std::uint64_t>(function));
}

Result<Fd> probe(void (*function)()) {
    auto type = read_file(kPmu);
    auto number = type ? parse_number(trim(*type)) : std::nullopt;
    if (!number) return fail("cannot put a uprobe: this kernel has no uprobe events");
    auto offset = file_offset(function);
    if (!offset) return fail("cannot find kcost's own function in /proc/self/maps");
    perf_event_attr event{};
    event.size = sizeof event;
    event.type = static_cast<std::uint32_t>(*number);
    event.config1 = reinterpret_cast<std::uint64_t>(kOwnProgram);
    event.config2 = *offset;
    Fd fd(
        static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!fd) return fail(std::string("cannot open a uprobe event: ") + std::strerror(errno));
    return fd;
}

}  // namespace

Result<void> slot_flush(std::uint32_t n) {
    auto event = probe(kcost_first_push);
    if (!event) return tl::unexpected(event.error());
    for (std::uint32_t i = 0; i < n; i++) kcost_first_push();
    std::uint64_t hits = 0;
    bool told = ::read(event->get(), &hits, sizeof hits) == sizeof hits;
    if (told && hits == n) return {};
    return fail("the kernel saw " + std::to_string(hits) + " of " + std::to_string(n) +
                " uprobe hits");
}

}  // namespace kcost::workload

#endif
