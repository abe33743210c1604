#include "kernel/probe_lists.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "kernel/kallsyms_line.h"
#include "kernel/line_reader.h"

namespace kcost::kernel {

namespace {

constexpr const char* kUsualDebugfs = "/sys/kernel/debug";

/// Lines of /proc/self/mounts: source, mount point, type, options.
std::optional<std::string> mount_of(const Root& root, std::string_view type) {
    const auto mounts = read_file(root.at("/proc/self/mounts"));
    if (!mounts) return std::nullopt;
    for (const std::string_view line : split(*mounts, '\n')) {
        const auto fields = split(line, ' ');
        if (fields.size() >= 3 && fields[2] == type) return std::string(fields[1]);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> tracefs_mount(const Root& root) {
    if (auto mount = mount_of(root, "tracefs")) return mount;
    // debugfs mounts tracefs on its folder `tracing` when somebody first looks into it.
    if (auto debugfs = mount_of(root, "debugfs")) return *debugfs + "/tracing";
    return std::nullopt;
}

std::optional<std::string> debugfs_mount(const Root& root) { return mount_of(root, "debugfs"); }

Result<KprobeBlacklist> KprobeBlacklist::read(const Root& root) {
    const std::string mount = debugfs_mount(root).value_or(kUsualDebugfs);
    auto lines = LineReader::open(root.at(mount + "/kprobes/blacklist"));
    if (!lines) {
        return fail(lines.error().what,
                    "mount -t debugfs none /sys/kernel/debug; it needs root and CONFIG_KPROBES",
                    ExitCode::kCannotHere);
    }
    KprobeBlacklist list;
    while (const auto line = lines->next()) list.add(*line);
    list.sort();
    return list;
}

/// "0xffff800080010000-0xffff800080010040\tname", both zero where addresses are hidden; a symbol of
/// a module has " [module]" behind its name.
void KprobeBlacklist::add(std::string_view line) {
    const std::size_t dash = line.find('-');
    const std::size_t tab = line.find('\t');
    if (dash == std::string_view::npos || tab == std::string_view::npos || dash > tab) return;
    const auto begin = parse_number(line.substr(0, dash));
    const auto end = parse_number(line.substr(dash + 1, tab - dash - 1));
    if (begin && end && *end > *begin) ranges_.push_back({*begin, *end});
    const auto fields = split(line.substr(tab + 1), ' ');
    if (!fields.empty() && !fields.front().empty()) names_.emplace_back(fields.front());
}

void KprobeBlacklist::sort() {
    std::sort(names_.begin(), names_.end());
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

bool KprobeBlacklist::contains(std::string_view name) const {
    return std::binary_search(names_.begin(), names_.end(), name, std::less<>());
}

bool KprobeBlacklist::contains(std::uint64_t address) const {
    const auto behind =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t a, const Range& range) { return a < range.begin; });
    return behind != ranges_.begin() && address < std::prev(behind)->end;
}

/// Lines are "name" or "name [module]".
Result<std::vector<bool>> traceable(const Root& root, const std::vector<std::string>& names) {
    const std::string mount = tracefs_mount(root).value_or("/sys/kernel/tracing");
    auto lines = LineReader::open(root.at(mount + "/available_filter_functions"));
    if (!lines) {
        return fail(lines.error().what,
                    "mount -t tracefs none /sys/kernel/tracing; it needs root and "
                    "CONFIG_DYNAMIC_FTRACE",
                    ExitCode::kCannotHere);
    }
    std::unordered_map<std::string_view, bool> wanted;
    for (const std::string& name : names) wanted.emplace(qualified(name).name, false);
    std::size_t open = wanted.size();
    while (open != 0) {
        const auto line = lines->next();
        if (!line) break;
        const auto it = wanted.find(line->substr(0, line->find(' ')));
        if (it == wanted.end() || it->second) continue;
        it->second = true;
        open--;
    }
    std::vector<bool> result;
    for (const std::string& name : names) result.push_back(wanted.at(qualified(name).name));
    return result;
}

}  // namespace kcost::kernel
