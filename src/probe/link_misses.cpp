#include "probe/link_misses.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <cstring>

namespace kcost::probe {
namespace {

// bpf_link_info of a perf link as of Linux 3acf8ace6823 ("bpf: Add missed value to kprobe perf link
// info") (v6.7), which Debian 12's headers do not have yet. The kernel fills no more than it knows.
struct PerfLinkInfo {
    std::uint32_t type;
    std::uint32_t id;
    std::uint32_t program_id;
    std::uint32_t pad;
    std::uint32_t perf_type;
    std::uint32_t pad2;
    std::uint64_t function_name;
    std::uint32_t name_length;
    std::uint32_t offset;
    std::uint64_t address;
    std::uint64_t missed;
    std::uint64_t cookie;
};
constexpr std::uint32_t kPerfKprobe = 3;
constexpr std::uint32_t kPerfKretprobe = 4;

}  // namespace

std::optional<std::uint64_t> probe_misses(int link_fd) {
    PerfLinkInfo info;
    std::memset(&info, 0, sizeof info);
    std::uint32_t length = sizeof info;
    if (bpf_obj_get_info_by_fd(link_fd, &info, &length)) return std::nullopt;
    bool is_probe = info.perf_type == kPerfKprobe || info.perf_type == kPerfKretprobe;
    std::uint32_t needed = offsetof(PerfLinkInfo, missed) + sizeof info.missed;
    if (!is_probe || length < needed) return std::nullopt;
    return info.missed;
}

std::optional<std::uint64_t> recursion_misses(int program_fd) {
    bpf_prog_info info;
    std::memset(&info, 0, sizeof info);
    std::uint32_t length = sizeof info;
    if (bpf_obj_get_info_by_fd(program_fd, &info, &length)) return std::nullopt;
    return info.recursion_misses;
}

}  // namespace kcost::probe
