#include "probe/floor.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cmath>

#include "kernel/breakpoint_registers.h"
#include "kernel/capability.h"
#include "kernel/cpus.h"
#include "kernel/kernel_text.h"
#include "kernel/symbol_lookup.h"
#include "model/figures.h"
#include "probe/attached_site.h"
#include "probe/breakpoints.h"
#include "probe/calling_child.h"
#include "probe/figures.h"
#include "probe/instruction_plan.h"

// Found by its name in kcost's own file, so it must stay a function and keep that name.
extern "C" [[gnu::noinline]] void kcost_nothing() { asm volatile(""); }

namespace kcost::probe {
namespace {

constexpr unsigned kCalls = 1000;
// Some milliseconds suffice for the calls; whatever is longer hangs.
constexpr int kBreakpointTimeout_ms = 1000;
// A breakpoint that is not stepped over hits for ever: the kernel itself disarms it then.
constexpr unsigned kMostHits = 4 * kCalls;
// A second to ten, by HZ: long enough for the calls, and a switch that no stopped kcost leaves on.
constexpr std::uint64_t kDeadlineJiffies = 1000;
// Few sets suffice: nobody else sleeps in these functions.
constexpr SharedMapSizes kSizes = {.sets = 16, .sites = 1, .stacks = 1, .payers = 1};

// Harmless, rare, and no function that anybody measures.
#if defined(__aarch64__)
constexpr const char* kSystemCall = "__arm64_sys_getegid";
#else
constexpr const char* kSystemCall = "__x64_sys_getegid";
#endif
constexpr const char* kOwnProgram = "/proc/self/exe";
constexpr const char* kOwnFunction = "kcost_nothing";

Result<kernel::FoundSymbol> system_call(const kernel::Root& root) {
    auto found = kernel::find_many(root, {kSystemCall});
    if (!found) return tl::unexpected(found.error());
    if (found->front().empty()) {
        return fail(std::string("this kernel has no function ") + kSystemCall);
    }
    return found->front().front();
}

// By its address, since the first mechanism of a name is fentry.
Result<Place> kprobe_place(const kernel::Root& root) {
    auto function = system_call(root);
    if (!function) return tl::unexpected(function.error());
    Place place;
    place.function = kSystemCall;
    place.address = function->address;
    place.by_address = true;
    return place;
}

Result<Place> place_for(const kernel::Root& root, Mechanism mechanism) {
    if (mechanism == Mechanism::kKprobe) return kprobe_place(root);
    Place place;
    place.function = mechanism == Mechanism::kUser ? kOwnFunction : kSystemCall;
    if (mechanism == Mechanism::kUser) place.user_path = kOwnProgram;
    return place;
}

// Two instructions in a row stand for an operation. Which ones take a kprobe is found by trying.
Result<std::vector<Place>> instruction_places(const kernel::Root& root) {
    auto function = system_call(root);
    if (!function) return tl::unexpected(function.error());
    auto flow = kernel::read_flow(root, function->address, function->end);
    if (!flow) return tl::unexpected(flow.error());
    std::vector<Place> places;
    for (const auto& [address, instruction] : flow->instructions()) {
        const auto next = flow->successors(address);
        const bool in_a_row = next.size() == 1 && next.front() == address + 4;
        // A span's exit is told by the stack pointer of its entry.
        if (!in_a_row || kernel::stack_pointer_change(instruction.word) != 0) continue;
        Place place;
        place.function = kSystemCall;
        place.address = address;
        place.by_address = true;
        place.operation = true;
        place.exits = {next.front()};
        places.push_back(std::move(place));
    }
    return places;
}

Result<Place> breakpoint_place(const kernel::Root& root, unsigned cpu) {
    auto function = system_call(root);
    if (!function) return tl::unexpected(function.error());
    Place place;
    place.function = kSystemCall;
    place.address = function->address;
    place.end = function->end;
    place.cpus = {cpu};
    place.most_hits = kMostHits;
    add_exits(kernel::read_flow(root, place.address, place.end), place);
    return place;
}

// Counted by the kernel alone, before a program runs there.
Result<void> count_without_program(const Place& place, const CallingChild& child) {
    auto set = Breakpoints::set({{place.address, nullptr}}, {place.cpus, kMostHits});
    if (!set) return tl::unexpected(set.error());
    bool ended = child.call(kCalls, kBreakpointTimeout_ms);
    std::uint64_t counted = set->counted();
    set->clear();
    if (!ended) return fail("the kernel does not step over a hardware breakpoint");
    if (counted >= kCalls) return {};
    return fail(fmt::format("a hardware breakpoint on {} counted {} of {} calls", place.function,
                            counted, kCalls));
}

kc_settings floor_settings(Mechanism mechanism, const Place& place, unsigned cpus) {
    kc_settings settings = {};
    settings.function_address = place.address;
    settings.within = KC_NO_TARGET;
    settings.cpus = cpus;
    settings.splits = 1;
    settings.set_mask = kSizes.sets - 1;
    settings.split_operand = KC_OPERAND_NONE;
    settings.split_minus = KC_OPERAND_NONE;
    settings.flags = KC_FLAG_INCLUDE_SELF | KC_FLAG_NO_PAYERS;
    if (mechanism == Mechanism::kUser) settings.flags |= KC_FLAG_USER_STACK | KC_FLAG_ATOMIC;
    return settings;
}

bool call_ourselves(Mechanism mechanism) {
    for (unsigned i = 0; i < kCalls; i++) {
        if (mechanism == Mechanism::kUser) {
            kcost_nothing();
        } else {
            ::syscall(SYS_getegid);
        }
    }
    return true;
}

}  // namespace

std::uint64_t floor_of(const model::Figures& figures) {
    return static_cast<std::uint64_t>(std::llround(model::quantile_ns(figures, 0.5)));
}

Result<void> FloorMeter::make_maps() {
    if (maps_) return {};
    auto possible = kernel::possible_cpus(root_);
    if (!possible) return tl::unexpected(possible.error());
    auto online = kernel::online_cpus(root_);
    if (!online) return tl::unexpected(online.error());
    auto maps = SharedMaps::create(kSizes);
    if (!maps) return tl::unexpected(maps.error());
    cpus_possible_ = *possible;
    cpus_online_ = static_cast<unsigned>(online->size());
    maps_ = std::move(*maps);
    return {};
}

Result<SpanPrograms> FloorMeter::attach(Mechanism mechanism, const Place& place) const {
    kc_settings settings = floor_settings(mechanism, place, cpus_possible_);
    bool counts = mechanism == Mechanism::kHwbreak && place.exits.empty();
    if (counts) settings.flags |= KC_FLAG_COUNT_ONLY;
    bool by_kprobes = mechanism == Mechanism::kKprobe || mechanism == Mechanism::kOpsite;
    if (!by_kprobes) {
        return SpanPrograms::attach(mechanism, place, settings, *maps_);
    }
    // Kprobes stop all CPUs: the rule for that is the attacher's.
    SiteAttacher attacher(*maps_, cpus_online_, allow_stops_);
    auto attached = attacher.attach(place, settings);
    if (!attached) {
        // It also says why it did not try fentry, which nobody asked here.
        std::string what = attached.error().what;
        std::string name = std::string(name_of(mechanism)) + ": ";
        std::size_t at = what.find(name);
        return fail(at == what.npos ? what : what.substr(at + name.size()));
    }
    // What is only counted has no floor: another instruction may have one.
    if (!attached->counted_reason.empty()) return fail(attached->counted_reason);
    return std::move(attached->programs);
}

Result<void> FloorMeter::count(SpanPrograms& programs, const Calls& calls, Trial& trial) {
    auto beat = maps_->run_beat();
    if (!beat) return beat;
    std::atomic_ref<__u64> deadline(maps_->control().deadline_jiffies);
    deadline.store(maps_->control().jiffies_now + kDeadlineJiffies);
    bool ended = calls();
    deadline.store(0);
    if (!ended) {
        programs.detach();
        return fail(
            "the kernel does not step over a hardware breakpoint that runs a program, for "
            "want of the fix of uses_default_overflow_handler");
    }
    model::Figures figures = read_all_figures(programs).front();
    trial.calls = kCalls;
    bool timed = !(programs.settings().flags & KC_FLAG_COUNT_ONLY);
    trial.counted = timed ? figures.spans : figures.entries;
    trial.floor_ns = floor_of(figures);
    return {};
}

Result<void> FloorMeter::try_function(Mechanism mechanism, Trial& trial) {
    auto place = place_for(root_, mechanism);
    if (!place) return tl::unexpected(place.error());
    auto programs = attach(mechanism, *place);
    if (!programs) return tl::unexpected(programs.error());
    return count(
        *programs, [&] { return call_ourselves(mechanism); }, trial);
}

Result<void> FloorMeter::try_instructions(Trial& trial) {
    auto places = instruction_places(root_);
    if (!places) return tl::unexpected(places.error());
    Error last{"nothing in " + std::string(kSystemCall) + " takes a kprobe", ""};
    for (const Place& place : *places) {
        auto programs = attach(Mechanism::kOpsite, place);
        if (programs) {
            return count(
                *programs, [] { return call_ourselves(Mechanism::kOpsite); }, trial);
        }
        last = programs.error();
    }
    return tl::unexpected(last);
}

Result<void> FloorMeter::try_breakpoint(Trial& trial) {
    std::string debugger = kernel::armed_kernel_debugger(root_);
    if (!debugger.empty()) {
        return fail("the kernel debugger is armed (" + debugger + "), and uses the breakpoints",
                    "disarm it: echo > /sys/module/kgdboc/parameters/kgdboc");
    }
    auto child = CallingChild::start();
    if (!child) return tl::unexpected(child.error());
    auto place = breakpoint_place(root_, child->cpu());
    if (!place) return tl::unexpected(place.error());
    auto counted = count_without_program(*place, *child);
    if (!counted) return counted;
    auto programs = attach(Mechanism::kHwbreak, *place);
    if (!programs) return tl::unexpected(programs.error());
    return count(
        *programs, [&] { return child->call(kCalls, kBreakpointTimeout_ms); }, trial);
}

Trial FloorMeter::try_out(Mechanism mechanism) {
    Trial trial;
    trial.function = mechanism == Mechanism::kUser ? kOwnFunction : kSystemCall;
    auto tried = make_maps();
    if (tried && mechanism == Mechanism::kOpsite)
        tried = try_instructions(trial);
    else if (tried && mechanism == Mechanism::kHwbreak)
        tried = try_breakpoint(trial);
    else if (tried)
        tried = try_function(mechanism, trial);
    if (!tried) {
        trial.failure = tried.error().what;
        trial.remedy = tried.error().hint;
    } else if (trial.counted < trial.calls) {
        trial.failure = "attached, but saw " + std::to_string(trial.counted) + " of " +
                        std::to_string(trial.calls) + " calls of " + trial.function;
    }
    return trial;
}

std::vector<std::pair<Mechanism, Trial>> try_mechanisms(const kernel::Root& root) {
    take_over_libbpf_messages();
    auto rights = kernel::require_tracing_rights(root);
    constexpr unsigned kStopsOfOneKprobe = 4;
    FloorMeter meter(root, 2 * kStopsOfOneKprobe);
    std::vector<std::pair<Mechanism, Trial>> trials;
    for (Mechanism mechanism : {Mechanism::kFentry, Mechanism::kKprobe, Mechanism::kOpsite,
                                Mechanism::kHwbreak, Mechanism::kUser}) {
        Trial trial;
        if (!rights) trial.failure = rights.error().what;
        trials.emplace_back(mechanism, rights ? meter.try_out(mechanism) : trial);
    }
    return trials;
}

}  // namespace kcost::probe
