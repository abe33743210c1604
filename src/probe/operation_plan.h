// From an operation to its sites: every function that inlines it, found in live text.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/deny_list.h"
#include "kernel/kernel_text.h"
#include "kernel/operations.h"
#include "kernel/root.h"
#include "model/hot_path.h"
#include "model/recording.h"
#include "probe/plan.h"

namespace kcost::probe {

struct OperationPlan {
    std::vector<PlannedSite> sites;
    std::vector<model::Skipped> skipped;  ///< sites that may not be probed
};

class OperationPlanner {
public:
    explicit OperationPlanner(const kernel::Root& root) : root_(root) {}

    /// Errors: live text cannot be read, or no function does such a thing.
    Result<OperationPlan> plan(const model::Operation& operation,
                               const kernel::KprobeBlacklist& blacklist);

    /// What measuring it would be here, each site asked of the kernel without arming it.
    model::Target try_out(const model::HotPath& path, const kernel::KprobeBlacklist& blacklist);

private:
    Result<void> read();
    void find_untraced();
    bool is_refused(const std::string& function, std::uint64_t address);

    kernel::Root root_;
    std::optional<Result<void>> answer_;  ///< once it was read
    std::vector<kernel::FoundOperation> found_;
    std::set<std::string> untraced_;        ///< functions without an ftrace location
    std::optional<bool> refuses_untraced_;  ///< whether a kprobe there was refused
};

}  // namespace kcost::probe
