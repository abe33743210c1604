#include "probe/operation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernel/kallsyms_line.h"
#include "kernel/missing_function.h"
#include "kernel/symbol_lookup.h"
#include "probe/kprobe_check.h"

namespace kcost::probe {
namespace {

using kernel::FoundOperation;
using kernel::OperationSite;

constexpr const char* kUntraced =
    "the kernel does not trace its function, and takes no kprobe there";

bool is_asked_for(const FoundOperation& found, const model::Operation& operation) {
    if (found.site.broadcast != operation.broadcast) return false;
    if (operation.one_page && !found.site.one_page) return false;
    return operation.in.empty() || found.function == operation.in ||
           kernel::stem_of(found.function) == operation.in;
}

std::string label_of(const FoundOperation& found) {
    return fmt::format("{}+{:#x}", found.function, found.site.entry - found.function_address);
}

// What is left to another function, or runs in a loop, has an entry that counts and no exit.
std::string why_counted(const OperationSite& site) {
    if (site.in_loop) return "it begins within a loop: each turn counts";
    if (site.exits.empty()) return "the barrier that waits for it is in another function";
    if (site.escapes) return "on some paths the barrier that waits for it is in another function";
    return "";
}

std::string describe(const OperationSite& site) {
    std::string text;
    for (const std::string& operation : site.operations) {
        text += (text.empty() ? "" : ", ") + operation;
    }
    if (site.repeated) text += "; each with its barrier twice, for the CPU's erratum";
    if (site.user_twin) text += "; a second one for KPTI";
    return text;
}

PlannedSite make_site(const FoundOperation& found) {
    PlannedSite planned;
    planned.place.function = found.function;
    planned.place.label = label_of(found);
    planned.place.address = found.site.entry;
    planned.place.by_address = true;
    planned.place.operation = true;
    planned.place.exits = found.site.exits;
    planned.place.frame_record = found.site.frame_record;
    planned.detail = describe(found.site);
    planned.repeated = found.site.repeated;
    planned.count_reason = why_counted(found.site);
    planned.count_only = !planned.count_reason.empty();
    return planned;
}

model::Site tried_site(const PlannedSite& site) {
    std::string counted = site.count_reason;
    for (std::uint64_t exit : site.place.exits) {
        if (counted.empty() && !check_kprobe(exit)) counted = kNoExitProbe;
    }
    model::Site tried;
    tried.function = site.place.label;
    tried.address = site.place.address;
    tried.mechanism = name_of(Mechanism::kOpsite);
    tried.reason = "inlined";
    tried.detail = site.detail;
    tried.repeated = site.repeated;
    tried.counted_only = !counted.empty();
    tried.counted_reason = counted;
    return tried;
}

Error why_nothing(const kernel::Root& root, const model::Operation& operation) {
    Error error{"this kernel's text has no such operation",
                "kcost list names the functions that have one", ExitCode::kCannotHere};
    if (operation.in.empty()) return error;
    auto functions = kernel::find_many(root, {operation.in});
    if (functions && functions->front().empty()) {
        return kernel::missing_function(root, operation.in);
    }
    error.what = "no such operation in " + operation.in;
    return error;
}

}  // namespace

Result<void> OperationPlanner::read() {
    auto text = kernel::read_kernel_text(root_);
    if (!text) return tl::unexpected(text.error());
    found_ = kernel::find_operations(text->text, text->symbols);
    find_untraced();
    return {};
}

// The kernel logs each kprobe that it refuses on a function without an ftrace location (but for
// CONFIG_KPROBE_EVENTS_ON_NOTRACE), so one such refusal stands for all of these functions.
bool OperationPlanner::is_refused(const std::string& function, std::uint64_t address) {
    if (!untraced_.contains(function)) return false;
    if (!refuses_untraced_) refuses_untraced_ = !check_kprobe(address);
    return *refuses_untraced_;
}

void OperationPlanner::find_untraced() {
    std::vector<std::string> names;
    for (const FoundOperation& found : found_) names.push_back(found.function);
    auto traceable = kernel::traceable(root_, names);
    // Where the kernel does not list them, each site is tried.
    if (!traceable) return;
    for (std::size_t i = 0; i < names.size(); i++) {
        if (!(*traceable)[i]) untraced_.insert(names[i]);
    }
}

Result<OperationPlan> OperationPlanner::plan(const model::Operation& operation,
                                             const kernel::KprobeBlacklist& blacklist) {
    if (!answer_) answer_ = read();
    if (!*answer_) return tl::unexpected(answer_->error());
    OperationPlan plan;
    for (const FoundOperation& found : found_) {
        if (!is_asked_for(found, operation)) continue;
        PlannedSite site = make_site(found);
        kernel::ProbeWish wish{found.function, site.place.address, false, "kprobe"};
        if (auto reason = kernel::denied_reason(wish, blacklist)) {
            plan.skipped.push_back({site.place.label, "denied: " + *reason, ""});
        } else if (is_refused(found.function, site.place.address)) {
            plan.skipped.push_back({site.place.label, kUntraced, ""});
        } else {
            plan.sites.push_back(std::move(site));
        }
    }
    if (!plan.sites.empty() || !plan.skipped.empty()) return plan;
    return tl::unexpected(why_nothing(root_, operation));
}

model::Target OperationPlanner::try_out(const model::HotPath& path,
                                        const kernel::KprobeBlacklist& blacklist) {
    model::Target target;
    target.name = path.name;
    target.summary = path.summary;
    auto planned = plan(*path.operation, blacklist);
    if (!planned) {
        target.skipped = {{path.name, planned.error().what, planned.error().hint}};
        return target;
    }
    target.sites_found = planned->sites.size() + planned->skipped.size();
    target.skipped = std::move(planned->skipped);
    for (const PlannedSite& site : planned->sites) {
        auto taken = check_kprobe(site.place.address);
        if (taken) {
            target.sites.push_back(tried_site(site));
        } else {
            target.skipped.push_back({site.place.label, taken.error().what, taken.error().hint});
        }
    }
    return target;
}

}  // namespace kcost::probe
