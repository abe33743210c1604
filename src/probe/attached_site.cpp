#include "probe/attached_site.h"

#include <fmt/format.h>

#include "base/text.h"
#include "kernel/breakpoint_registers.h"
#include "kernel/kernel_text.h"
#include "probe/breakpoint_rate.h"
#include "probe/instruction_plan.h"
#include "probe/kprobe_check.h"

namespace kcost::probe {
namespace {

// Machines with fewer CPUs stop and go on in no time.
constexpr unsigned kManyCpus = 32;
// Each probe is armed once and disarmed once.
constexpr unsigned kStopsOfAProbe = 2;
// For debuggers.
constexpr unsigned kBreakpointsLeft = 2;
// Two exceptions of some 1,400 instructions a hit: a tenth of a CPU, about.
constexpr double kMostTimedHits = 50'000;

// Those that are set on instructions, exits included.
unsigned points_of(const Place& place, bool counted) {
    if (counted) return 1;
    bool by_return = place.exits.empty();
    return 1 + (by_return ? 1 : static_cast<unsigned>(place.exits.size()));
}

bool asks_for_result(const kc_settings& settings) {
    return settings.exit_when.op != KC_OP_NONE || settings.split_operand == KC_OPERAND_RETURN;
}

bool is_by_kprobes(Mechanism mechanism) {
    return mechanism == Mechanism::kKprobe || mechanism == Mechanism::kOpsite;
}

Mechanism mechanism_of(const std::string& name) {
    for (Mechanism mechanism : {Mechanism::kFentry, Mechanism::kKprobe}) {
        if (name == name_of(mechanism)) return mechanism;
    }
    return Mechanism::kHwbreak;
}

// All that a refused kprobe leaves to libbpf is EINVAL.
std::string why_failed(Mechanism mechanism, const Place& place, const Error& error) {
    if (mechanism != Mechanism::kKprobe) return error.what;
    auto kprobe = check_kprobe(place.address);
    return kprobe ? error.what : kprobe.error().what;
}

}  // namespace

// Every arming and disarming of a kprobe runs under stop_machine on arm64
// (aarch64_insn_patch_text, 5.10 to 7.2).
Result<void> SiteAttacher::may_stop(unsigned more) const {
    if (cpus_ < kManyCpus || stops_ + more <= allow_stops_) return {};
    return fail(fmt::format("kprobes would stop all {} CPUs {} times", cpus_, stops_ + more),
                fmt::format("--allow-stops {}", stops_ + more), ExitCode::kCannotHere);
}

Result<unsigned> SiteAttacher::free_breakpoints() {
    auto registers = kernel::breakpoint_registers();
    if (!registers) return registers;
    unsigned taken = breakpoints_ + kBreakpointsLeft;
    return *registers > taken ? *registers - taken : 0;
}

Result<void> SiteAttacher::may_break(unsigned more) {
    if (!guard_answer_) guard_answer_ = guard_ ? guard_() : fail("not tried here");
    if (!*guard_answer_) return *guard_answer_;
    auto free = free_breakpoints();
    if (!free) return tl::unexpected(free.error());
    if (more <= *free) return {};
    return fail(fmt::format("it takes {} of the CPU's breakpoints, of which {} are in use, {} kept "
                            "for debuggers and {} free",
                            more, breakpoints_, kBreakpointsLeft, *free),
                "name fewer such targets, or count only", ExitCode::kCannotHere);
}

// A function may have more ways out than there are breakpoints.
void SiteAttacher::leave_exits_out(Place& place) {
    auto free = free_breakpoints();
    if (!free || *free == 0 || points_of(place, place.exits.empty()) <= *free) return;
    place.no_exits =
        fmt::format("it has {} exits, and {} breakpoints are free", place.exits.size(), *free);
    place.exits.clear();
}

Result<void> SiteAttacher::may_attach(Mechanism mechanism, const Place& place, bool counted) {
    unsigned points = points_of(place, counted);
    if (mechanism == Mechanism::kHwbreak) return may_break(points);
    return is_by_kprobes(mechanism) ? may_stop(points * kStopsOfAProbe) : Result<void>();
}

void SiteAttacher::note_costs(Mechanism mechanism, const Place& place, bool counted) {
    unsigned points = points_of(place, counted);
    if (mechanism == Mechanism::kHwbreak) breakpoints_ += points;
    if (is_by_kprobes(mechanism)) stops_ += points * kStopsOfAProbe;
}

std::vector<Mechanism> SiteAttacher::ladder(const Place& place) const {
    if (!place.user_path.empty()) return {Mechanism::kUser};
    if (place.operation) return {Mechanism::kOpsite};
    if (!place.only.empty()) return {mechanism_of(place.only)};
    std::vector<Mechanism> ladder;
    if (why_no_fentry(place).empty()) ladder.push_back(Mechanism::kFentry);
    ladder.push_back(Mechanism::kKprobe);
    if (place.may_break) ladder.push_back(Mechanism::kHwbreak);
    return ladder;
}

std::string SiteAttacher::why_no_fentry(const Place& place) const {
    if (place.amid) return "an instruction, not a function";
    // BTF has one function of a name: which of several it is cannot be told.
    if (place.by_address) return "several functions have this name";
    return no_fentry_;
}

// Breakpoints are the dearest: what they can only count, or what runs too often, is counted.
Result<std::string> SiteAttacher::why_counted(const Place& place, const kc_settings& settings) {
    std::string reason = place.no_exits;
    if (reason.empty()) {
        auto rate = breakpoint_rate(place.address);
        if (!rate) return tl::unexpected(rate.error());
        if (*rate > kMostTimedHits) {
            reason = fmt::format(
                "it runs {} times a second on one CPU, too often to time it by breakpoints",
                format_count(*rate));
        }
    }
    if (!reason.empty() && asks_for_result(settings)) {
        return fail("its returns are not seen: " + reason, "", ExitCode::kCannotHere);
    }
    return reason;
}

Result<AttachedSite> SiteAttacher::attach_by(Mechanism mechanism, const Place& place,
                                             const kc_settings& settings) {
    bool counted = settings.flags & KC_FLAG_COUNT_ONLY;
    auto allowed = may_attach(mechanism, place, counted);
    if (!allowed) return tl::unexpected(allowed.error());
    auto programs = SpanPrograms::attach(mechanism, place, settings, shared_);
    if (!programs) return tl::unexpected(programs.error());
    note_costs(mechanism, place, counted);
    return AttachedSite{std::move(*programs), mechanism, "", ""};
}

Result<AttachedSite> SiteAttacher::attach_counted(Mechanism mechanism, const Place& place,
                                                  kc_settings settings, std::string reason) {
    settings.flags |= KC_FLAG_COUNT_ONLY;
    auto attached = attach_by(mechanism, place, settings);
    if (attached) attached->counted_reason = std::move(reason);
    return attached;
}

Result<AttachedSite> SiteAttacher::attach_breakpoints(Place place, const kc_settings& settings) {
    bool counted = settings.flags & KC_FLAG_COUNT_ONLY;
    // An instruction is only counted, and the plan has looked around it.
    if (place.amid) return attach_by(Mechanism::kHwbreak, place, settings);
    auto flow = kernel::read_flow({}, place.address, place.end);
    auto safe = check_breakpoint(flow, place);
    if (!safe) return tl::unexpected(safe.error());
    if (counted) return attach_by(Mechanism::kHwbreak, place, settings);
    auto allowed = may_break(1);
    if (!allowed) return tl::unexpected(allowed.error());
    add_exits(flow, place);
    leave_exits_out(place);
    auto reason = why_counted(place, settings);
    if (!reason) return tl::unexpected(reason.error());
    if (reason->empty()) return attach_by(Mechanism::kHwbreak, place, settings);
    return attach_counted(Mechanism::kHwbreak, place, settings, std::move(*reason));
}

// A kprobe may be taken at the entry and refused behind the barrier.
Result<AttachedSite> SiteAttacher::attach_operation(const Place& place,
                                                    const kc_settings& settings) {
    bool counted = settings.flags & KC_FLAG_COUNT_ONLY;
    auto allowed = may_attach(Mechanism::kOpsite, place, counted);
    if (!allowed) return tl::unexpected(allowed.error());
    auto attached = attach_by(Mechanism::kOpsite, place, settings);
    if (attached) return attached;
    auto entry = check_kprobe(place.address);
    if (!entry) return tl::unexpected(entry.error());
    if (counted) return attached;
    return attach_counted(Mechanism::kOpsite, place, settings, kNoExitProbe);
}

Result<AttachedSite> SiteAttacher::try_mechanism(Mechanism mechanism, const Place& place,
                                                 const kc_settings& settings) {
    if (mechanism == Mechanism::kHwbreak) return attach_breakpoints(place, settings);
    if (mechanism == Mechanism::kOpsite) return attach_operation(place, settings);
    return attach_by(mechanism, place, settings);
}

Result<AttachedSite> SiteAttacher::attach(const Place& place, const kc_settings& settings) {
    std::string failures;
    std::string remedy;
    auto add_failure = [&](Mechanism mechanism, const std::string& what) {
        failures += (failures.empty() ? "" : "; ") + std::string(name_of(mechanism)) + ": " + what;
    };
    bool choice = place.user_path.empty() && !place.operation && place.only.empty();
    std::string no_fentry = why_no_fentry(place);
    if (choice && !no_fentry.empty()) add_failure(Mechanism::kFentry, no_fentry);
    for (Mechanism mechanism : ladder(place)) {
        auto attached = try_mechanism(mechanism, place, settings);
        if (attached) {
            std::string reason = choice ? "cheapest" : place.operation ? "inlined" : "asked for";
            attached->reason = failures.empty() ? reason : failures;
            return attached;
        }
        const std::string what = why_failed(mechanism, place, attached.error());
        bool everywhere = what.find("ENOTSUPP") != std::string::npos;
        if (mechanism == Mechanism::kFentry && everywhere) no_fentry_ = what;
        add_failure(mechanism, what);
        remedy = attached.error().hint;
    }
    if (remedy.empty() && !place.only.empty()) {
        remedy = "leave out by=" + place.only + ", and kcost takes what this kernel allows";
    } else if (remedy.empty() && place.user_path.empty() && !place.operation) {
        remedy = "kcost doctor tells what this kernel lacks";
    }
    return fail(failures, remedy, ExitCode::kCannotHere);
}

}  // namespace kcost::probe
