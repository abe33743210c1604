#include "kernel/cgroup_memory.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "kernel/cpus.h"

namespace kcost::kernel {
namespace {

// Where a version of control groups has its files, and what they are called.
struct Version {
    std::span<const char* const> mounts;
    std::span<const char* const> limits;
    const char* usage;
    const char* reclaimable;  ///< of memory.stat
};

constexpr const char* kMountsOfOne[] = {"/sys/fs/cgroup/memory"};
constexpr const char* kLimitsOfOne[] = {"memory.limit_in_bytes"};
constexpr Version kOne = {kMountsOfOne, kLimitsOfOne, "memory.usage_in_bytes",
                          "total_inactive_file"};

// In the hybrid layout version 2 is mounted below version 1.
constexpr const char* kMountsOfTwo[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
constexpr const char* kLimitsOfTwo[] = {"memory.max", "memory.high"};
constexpr Version kTwo = {kMountsOfTwo, kLimitsOfTwo, "memory.current", "inactive_file"};

std::optional<std::uint64_t> read_number(const Root& root, const std::string& path) {
    const auto text = read_file(root.at(path));
    return text ? parse_number(trim(*text)) : std::nullopt;  // "max" is no limit
}

std::uint64_t reclaimable_bytes(const Root& root, const std::string& folder, std::string_view key) {
    const auto text = read_file(root.at(folder + "/memory.stat"));
    if (!text) return 0;
    for (const std::string_view line : split(*text, '\n')) {
        const std::size_t blank = line.find(' ');
        if (line.substr(0, blank) != key) continue;
        return parse_number(line.substr(blank + 1)).value_or(0);
    }
    return 0;
}

std::uint64_t left_in_group(const Root& root, const std::string& folder, const Version& version) {
    std::uint64_t limit = UINT64_MAX;
    for (const std::string file : version.limits) {
        limit = std::min(limit, read_number(root, folder + "/" + file).value_or(UINT64_MAX));
    }
    if (limit == UINT64_MAX) return limit;
    const std::uint64_t used = read_number(root, folder + "/" + version.usage).value_or(0);
    const std::uint64_t back = reclaimable_bytes(root, folder, version.reclaimable);
    const std::uint64_t kept = used - std::min(used, back);
    return limit - std::min(limit, kept);
}

// A group's own limit may be wide and that of one around it narrow. In a container the path may be
// the host's, with only the mount itself to be seen: the way up ends there.
std::uint64_t left_in_groups(const Root& root, std::string group, const Version& version) {
    std::uint64_t left = UINT64_MAX;
    for (;;) {
        for (const std::string mount : version.mounts) {
            left = std::min(left, left_in_group(root, mount + group, version));
        }
        if (group.empty()) return left;
        group.resize(group.rfind('/') == group.npos ? 0 : group.rfind('/'));
    }
}

// "4:memory:/path" of version 1, "0::/path" of version 2.
std::uint64_t left_by_line(const Root& root, std::string_view line) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) return UINT64_MAX;
    std::string group(line.substr(parts[0].size() + parts[1].size() + 2));
    if (group == "/") group.clear();
    if (parts[0] == "0" && parts[1].empty()) return left_in_groups(root, group, kTwo);
    const auto controllers = split(parts[1], ',');
    const bool memory =
        std::find(controllers.begin(), controllers.end(), "memory") != controllers.end();
    return memory ? left_in_groups(root, group, kOne) : UINT64_MAX;
}

}  // namespace

Result<std::uint64_t> available_memory_bytes(const Root& root) {
    const auto memory = read_memory(root);
    if (!memory) return tl::unexpected(memory.error());
    std::uint64_t left = memory->available_bytes;
    const auto groups = read_file(root.at("/proc/self/cgroup"));
    if (!groups) return left;  // a kernel without control groups
    for (const std::string_view line : split(*groups, '\n')) {
        left = std::min(left, left_by_line(root, line));
    }
    return left;
}

}  // namespace kcost::kernel
