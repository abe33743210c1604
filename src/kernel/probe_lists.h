// What the kernel says about where probes may be: its kprobe blacklist and ftrace's list of
// functions, and where the file systems that tell it are mounted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// Mount point of tracefs or debugfs without the root's prefix; none: not mounted.
std::optional<std::string> tracefs_mount(const Root& root);
std::optional<std::string> debugfs_mount(const Root& root);

/// Code that the kernel keeps kprobes off (NOKPROBE_SYMBOL, __kprobes, entry text).
class KprobeBlacklist {
public:
    /// A kernel or process that cannot read it gives an error with the remedy; an empty list
    /// stands for it where that is enough.
    static Result<KprobeBlacklist> read(const Root& root);

    KprobeBlacklist() = default;
    /// By name, since addresses may be hidden.
    bool contains(std::string_view name) const;
    bool contains(std::uint64_t address) const;
    std::size_t size() const { return names_.size(); }

private:
    struct Range {
        std::uint64_t begin;
        std::uint64_t end;
    };
    void add(std::string_view line);
    void sort();

    std::vector<std::string> names_;  ///< sorted
    std::vector<Range> ranges_;       ///< sorted by begin
};

/// For each name whether ftrace can trace it (available_filter_functions). Costs the kernel 200 to
/// 370 M instructions: for `explain`, never on the attach path.
Result<std::vector<bool>> traceable(const Root& root, const std::vector<std::string>& names);

}  // namespace kcost::kernel
