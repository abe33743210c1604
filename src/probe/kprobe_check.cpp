#include "probe/kprobe_check.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/text.h"

namespace kcost::probe {
namespace {

constexpr const char* kPmuType = "/sys/bus/event_source/devices/kprobe/type";

}  // namespace

Result<void> check_kprobe(std::uint64_t address) {
    auto type = read_file(kPmuType);
    auto number = type ? parse_number(trim(*type)) : std::nullopt;
    if (!number) return fail(std::string("cannot read ") + kPmuType, "", ExitCode::kCannotHere);
    perf_event_attr wanted;
    std::memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.type = static_cast<std::uint32_t>(*number);
    wanted.kprobe_addr = address;
    wanted.disabled = 1;
    Fd event(
        static_cast<int>(::syscall(SYS_perf_event_open, &wanted, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)));
    if (event) return {};
    if (errno != EINVAL) {
        return fail(std::string("cannot set a kprobe: ") + std::strerror(errno), "",
                    ExitCode::kCannotHere);
    }
    // within_notrace_func() and arm_kprobe_decode_insn(), 5.10 to 7.3. The latter takes CASA and
    // CASAL for a load-exclusive, and refuses the 32 instructions behind one.
    return fail(
        "the kernel takes no kprobe there: the function is not traced, or the instruction "
        "follows an atomic one",
        "", ExitCode::kCannotHere);
}

}  // namespace kcost::probe
