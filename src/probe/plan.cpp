#include "probe/plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "kernel/elf_functions.h"
#include "kernel/similar_name.h"
#include "kernel/symbol_lookup.h"
#include "probe/function_names.h"
#include "probe/function_type.h"
#include "probe/instruction_plan.h"
#include "probe/operation_plan.h"

namespace kcost::probe {
namespace {

using kernel::FoundSymbol;

class Planner {
public:
    Planner(const kernel::Root& root, std::vector<model::HotPath> targets,
            const PlanOptions& options)
        : root_(root), options_(options), names_(root), operations_(root) {
        plan_.targets = without_repeats(std::move(targets));
        plan_.skipped.resize(plan_.targets.size());
        plan_.sites_found.resize(plan_.targets.size());
    }

    Result<Plan> run() {
        auto found = look_up_names();
        if (!found) return tl::unexpected(found.error());
        auto blacklist = kernel::KprobeBlacklist::read(root_);
        if (blacklist) {
            blacklist_ = std::move(*blacklist);
            blacklist_known_ = true;
        } else if (!names_.empty()) {
            plan_.warnings.push_back(blacklist.error().what);
        }
        for (std::size_t i = 0; i < plan_.targets.size(); i++) add_target(i);
        return std::move(plan_);
    }

private:
    std::vector<model::HotPath> without_repeats(std::vector<model::HotPath> targets) {
        std::vector<model::HotPath> kept;
        for (auto& target : targets) {
            auto same = [&](const model::HotPath& other) { return other.name == target.name; };
            if (std::any_of(kept.begin(), kept.end(), same)) {
                plan_.warnings.push_back("target " + escape_for_terminal(target.name) +
                                         " was given twice: measured once");
            } else {
                kept.push_back(std::move(target));
            }
        }
        return kept;
    }

    Result<void> look_up_names() {
        std::vector<std::string> names;
        for (const auto& target : plan_.targets) {
            if (!target.user_path.empty()) continue;
            names.insert(names.end(), target.functions.begin(), target.functions.end());
            names.insert(names.end(), target.within.begin(), target.within.end());
        }
        return names_.look_up(std::move(names));
    }

    void add_target(std::size_t index) {
        const model::HotPath& target = plan_.targets[index];
        if (options_.count_only && asks_for_result(target)) {
            skip(index, target.name, "counting sees entries only, and this target asks for results",
                 "leave out --count-only");
            return;
        }
        if (!target.user_path.empty()) {
            add_user_sites(index);
            return;
        }
        std::optional<std::size_t> gate;
        if (!target.within.empty()) {
            gate = add_gate(index);
            if (!gate) return;
        }
        if (target.operation) {
            add_operation_sites(index, gate);
            return;
        }
        if (model::is_instruction(target)) {
            add_instruction(index, gate);
            return;
        }
        bool any = false;
        for (const std::string& name : target.functions) {
            std::vector<FoundSymbol> functions = names_.functions(name);
            for (const FoundSymbol& function : functions) {
                add_kernel_site(index, function, functions.size() > 1, gate);
            }
            any = any || !functions.empty();
            if (any && !target.every_function) break;
        }
        if (!any) skip_unknown(index);
    }

    static bool asks_for_result(const model::HotPath& target) {
        bool split = target.split.value && target.split.value->is_return;
        return split || std::any_of(target.when.begin(), target.when.end(),
                                    [](const auto& when) { return when.operand.is_return; });
    }

    void add_user_sites(std::size_t index) {
        const model::HotPath& target = plan_.targets[index];
        struct stat status;
        if (::stat(target.user_path.c_str(), &status) != 0) {
            skip(index, target.functions.front(), "there is no program " + target.user_path, "");
            return;
        }
        if (!program_has(index) || !operands_exist(index, target.functions.front())) return;
        PlannedSite site;
        site.place.function = target.functions.front();
        site.place.user_path = target.user_path;
        site.target = index;
        site.count_only = options_.count_only;
        if (!has_room(index, site.place)) return;
        bool risky = !options_.time_throwing && kernel::throws_exceptions(target.user_path);
        if (!site.count_only && risky) count_throwing(index, site);
        if (!site.count_only || !asks_for_result(target)) plan_.sites.push_back(std::move(site));
    }

    // Linux's return probe replaces the return address on the stack: an exception that is thrown
    // through it finds no way on, and the program ends.
    void count_throwing(std::size_t index, PlannedSite& site) {
        const model::HotPath& target = plan_.targets[index];
        site.count_only = true;
        site.count_reason = "the program throws C++ exceptions";
        constexpr const char* kRemedy = "--time-throwing, if none is thrown through this function";
        if (asks_for_result(target)) {
            skip(index, target.functions.front(),
                 "timing a program that throws C++ exceptions may end it", kRemedy);
            return;
        }
        plan_.warnings.push_back(target.name +
                                 " is counted, not timed: one of the C++ exceptions that its "
                                 "program throws would end it; try " +
                                 kRemedy);
    }

    bool program_has(std::size_t index) {
        const model::HotPath& target = plan_.targets[index];
        const std::string& function = target.functions.front();
        auto functions = kernel::elf_functions(target.user_path);
        if (!functions) {
            skip(index, function, functions.error().what, functions.error().hint);
            return false;
        }
        if (std::binary_search(functions->begin(), functions->end(), function)) return true;
        std::string hint = did_you_mean(kernel::most_like(function, *functions, kNamesOffered));
        skip(index, function, target.user_path + " has no function " + function, hint);
        return false;
    }

    void add_operation_sites(std::size_t index, std::optional<std::size_t> gate) {
        const model::HotPath& target = plan_.targets[index];
        auto operations = operations_.plan(*target.operation, blacklist_);
        if (!operations) {
            skip(index, target.name, operations.error().what, operations.error().hint);
            return;
        }
        plan_.sites_found[index] = operations->sites.size() + operations->skipped.size();
        plan_.skipped[index] = std::move(operations->skipped);
        for (PlannedSite& site : operations->sites) {
            site.target = index;
            site.gate = gate;
            if (options_.count_only) site.count_reason.clear();
            site.count_only = site.count_only || options_.count_only;
            if (has_room(index, site.place)) plan_.sites.push_back(std::move(site));
        }
    }

    void add_instruction(std::size_t index, std::optional<std::size_t> gate) {
        const model::HotPath& target = plan_.targets[index];
        auto found = find_instruction(root_, target);
        if (!found) {
            skip(index, target.name, found.error().what, found.error().hint);
            return;
        }
        const FoundSymbol& function = found->function;
        if (found->address == function.address) {
            add_kernel_site(index, function, true, gate);
            return;
        }
        kernel::ProbeWish wish{function.name, found->address, false, "kprobe"};
        if (auto reason = kernel::denied_reason(wish, blacklist_)) {
            skip(index, target.name, "denied: " + *reason, "");
            return;
        }
        PlannedSite site;
        site.place = place_of(*found);
        site.target = index;
        site.gate = gate;
        site.count_only = true;  // it has an entry and no exit
        if (!choose_mechanism(index, site.place) || !has_room(index, site.place)) return;
        if (!found->unread.empty() && !without_breakpoint(index, site.place, found->unread)) return;
        plan_.sites.push_back(std::move(site));
    }

    // What stands around an instruction decides whether a stop there hangs the CPU. Kprobes look
    // for themselves.
    bool without_breakpoint(std::size_t index, Place& place, const std::string& unread) {
        place.may_break = false;
        if (place.only != "hwbreak") return true;
        skip(index, plan_.targets[index].name,
             "whether a stop there hangs the CPU cannot be told: " + unread, "by=kprobe");
        return false;
    }

    // A breakpoint knows no blacklist of its own: without the kernel's it is not set.
    bool choose_mechanism(std::size_t index, Place& place) {
        const model::HotPath& target = plan_.targets[index];
        place.only = target.mechanism;
        bool asked = target.mechanism == "hwbreak";
        if (asked && !blacklist_known_) {
            skip(index, place.function, "the kernel's list of what no probe may touch is not there",
                 "mount -t debugfs none /sys/kernel/debug");
            return false;
        }
        place.may_break = asked || (blacklist_known_ && !target.built_in);
        return true;
    }

    void add_kernel_site(std::size_t index, const FoundSymbol& function, bool ambiguous,
                         std::optional<std::size_t> gate) {
        kernel::ProbeWish wish{function.name, function.address, false, "kprobe"};
        if (auto reason = kernel::denied_reason(wish, blacklist_)) {
            skip(index, function.name, "denied: " + *reason, "");
            return;
        }
        if (!operands_exist(index, function.name)) return;
        PlannedSite site;
        site.place.function = function.name;
        site.place.address = function.address;
        site.place.by_address = ambiguous && names_.is_repeated(function.name);
        site.target = index;
        site.gate = gate;
        site.place.end = function.end;
        if (!choose_mechanism(index, site.place) || !has_room(index, site.place)) return;
        site.count_only = options_.count_only;
        wish.at_exit = true;
        if (auto reason = kernel::denied_reason(wish, blacklist_); reason && !site.count_only) {
            site.count_only = true;
            site.count_reason = *reason;
        }
        plan_.sites.push_back(std::move(site));
    }

    // The programs keep so many targets of one call apart.
    bool has_room(std::size_t index, const Place& place) {
        unsigned hooks = ++hooks_[{place.user_path + ":" + place.function, place.address}];
        if (hooks <= KC_SIBLINGS) return true;
        skip(index, place.function,
             "more than " + std::to_string(KC_SIBLINGS) + " targets on one function",
             "measure it in another run");
        return false;
    }

    bool operands_exist(std::size_t index, const std::string& function) {
        const model::HotPath& target = plan_.targets[index];
        if (!has_operands(target)) return true;
        auto checked = check_operands(target, function);
        if (!checked) skip(index, function, checked.error().what, checked.error().hint);
        return checked.has_value();
    }

    std::optional<std::size_t> add_gate(std::size_t index) {
        const model::HotPath& target = plan_.targets[index];
        for (const std::string& name : target.within) {
            std::vector<FoundSymbol> functions = names_.functions(name);
            if (functions.empty()) continue;
            const FoundSymbol& function = functions.front();
            kernel::ProbeWish wish{function.name, function.address, true, "kprobe"};
            if (auto reason = kernel::denied_reason(wish, blacklist_)) {
                skip(index, function.name, "within " + function.name + " is denied: " + *reason,
                     "");
                return std::nullopt;
            }
            return gate_site(function);
        }
        const std::string& first = target.within.front();
        Error missing = names_.missing(first);
        skip(index, first, "within: " + missing.what, missing.hint);
        return std::nullopt;
    }

    std::size_t gate_site(const FoundSymbol& function) {
        for (std::size_t i = 0; i < plan_.sites.size(); i++) {
            bool same = plan_.sites[i].place.address == function.address;
            if (same && !plan_.sites[i].target) return i;
        }
        PlannedSite site;
        site.place.function = function.name;
        site.place.address = function.address;
        hooks_[{":" + function.name, function.address}]++;
        plan_.sites.push_back(std::move(site));
        return plan_.sites.size() - 1;
    }

    void skip(std::size_t index, std::string function, std::string reason, std::string remedy) {
        plan_.skipped[index].push_back({std::move(function), std::move(reason), std::move(remedy)});
    }

    void skip_unknown(std::size_t index) {
        const model::HotPath& target = plan_.targets[index];
        const std::string& first = target.functions.front();
        Error missing = names_.missing(first);
        for (std::size_t i = 1; i < target.functions.size(); i++) {
            missing.what +=
                (i + 1 == target.functions.size() ? " or " : ", ") + target.functions[i];
        }
        if (target.built_in) missing.hint = "kcost doctor tells what this kernel lacks";
        skip(index, first, missing.what, missing.hint);
    }

    const kernel::Root& root_;
    PlanOptions options_;
    Plan plan_;
    FunctionNames names_;
    kernel::KprobeBlacklist blacklist_;
    std::map<std::pair<std::string, std::uint64_t>, unsigned> hooks_;  ///< sites by function
    bool blacklist_known_ = false;
    OperationPlanner operations_;
};

}  // namespace

Result<Plan> make_plan(const kernel::Root& root, std::vector<model::HotPath> targets,
                       const PlanOptions& options) {
    return Planner(root, std::move(targets), options).run();
}

Error explain_skipped(const model::HotPath& target, const std::vector<model::Skipped>& skipped) {
    Error error;
    error.code = ExitCode::kCannotHere;
    std::string reason = skipped.empty() ? "nothing of it can be probed" : skipped.front().reason;
    error.what = "cannot measure " + target.name + ": " + reason;
    if (!skipped.empty()) error.hint = skipped.front().remedy;
    return error;
}

}  // namespace kcost::probe
