#include "probe/floor.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "kernel/capability.h"
#include "kernel/cpus.h"
#include "kernel/symbol_lookup.h"
#include "model/figures.h"
#include "probe/attached_site.h"
#include "probe/figures.h"

// Found by its name in kcost's own file, so it must stay a function and keep that name.
extern "C" [[gnu::noinline]] void kcost_nothing() { asm volatile(""); }

namespace kcost::probe {
namespace {

constexpr unsigned kCalls = 1000;
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

// By its address, since the first mechanism of a name is fentry.
Result<Place> kprobe_place(const kernel::Root& root) {
    auto found = kernel::find_many(root, {kSystemCall});
    if (!found) return tl::unexpected(found.error());
    if (found->front().empty()) {
        return fail(std::string("this kernel has no function ") + kSystemCall);
    }
    return Place{kSystemCall, found->front().front().address, true, ""};
}

Result<Place> place_for(const kernel::Root& root, Mechanism mechanism) {
    if (mechanism == Mechanism::kUser) return Place{kOwnFunction, 0, false, kOwnProgram};
    if (mechanism == Mechanism::kKprobe) return kprobe_place(root);
    return Place{kSystemCall, 0, false, ""};
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

void call(Mechanism mechanism) {
    for (unsigned i = 0; i < kCalls; i++) {
        if (mechanism == Mechanism::kUser) {
            kcost_nothing();
        } else {
            ::syscall(SYS_getegid);
        }
    }
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
    if (mechanism != Mechanism::kKprobe) {
        return SpanPrograms::attach(mechanism, place, settings, *maps_);
    }
    // Kprobes stop all CPUs: the rule for that is the attacher's.
    SiteAttacher attacher(*maps_, cpus_online_, allow_stops_);
    auto attached = attacher.attach(place, settings);
    if (!attached) {
        // It also says why it did not try fentry, which nobody asked here.
        std::string what = attached.error().what;
        std::size_t at = what.find("kprobe: ");
        return fail(at == what.npos ? what : what.substr(at + std::strlen("kprobe: ")));
    }
    return std::move(attached->programs);
}

Result<void> FloorMeter::count(const SpanPrograms& programs, Mechanism mechanism, Trial& trial) {
    auto beat = maps_->run_beat();
    if (!beat) return beat;
    std::atomic_ref<__u64> deadline(maps_->control().deadline_jiffies);
    deadline.store(maps_->control().jiffies_now + kDeadlineJiffies);
    call(mechanism);
    deadline.store(0);
    model::Figures figures = read_all_figures(programs).front();
    trial.calls = kCalls;
    trial.counted = figures.spans;
    trial.floor_ns = floor_of(figures);
    return {};
}

Trial FloorMeter::try_out(Mechanism mechanism) {
    Trial trial;
    trial.function = mechanism == Mechanism::kUser ? kOwnFunction : kSystemCall;
    auto failed = [&](const Error& error) {
        trial.failure = error.what;
        return trial;
    };
    auto made = make_maps();
    if (!made) return failed(made.error());
    auto place = place_for(root_, mechanism);
    if (!place) return failed(place.error());
    auto programs = attach(mechanism, *place);
    if (!programs) return failed(programs.error());
    auto counted = count(*programs, mechanism, trial);
    if (!counted) return failed(counted.error());
    if (trial.counted < trial.calls) {
        trial.failure = "attached, but saw " + std::to_string(trial.counted) + " of " +
                        std::to_string(trial.calls) + " calls of " + trial.function;
    }
    return trial;
}

std::vector<std::pair<Mechanism, Trial>> try_mechanisms(const kernel::Root& root) {
    take_over_libbpf_messages();
    auto rights = kernel::require_tracing_rights(root);
    constexpr unsigned kStopsOfOneKprobe = 4;
    FloorMeter meter(root, kStopsOfOneKprobe);
    std::vector<std::pair<Mechanism, Trial>> trials;
    for (Mechanism mechanism : {Mechanism::kFentry, Mechanism::kKprobe, Mechanism::kUser}) {
        Trial trial;
        if (!rights) trial.failure = rights.error().what;
        trials.emplace_back(mechanism, rights ? meter.try_out(mechanism) : trial);
    }
    return trials;
}

}  // namespace kcost::probe
