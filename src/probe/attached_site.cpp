#include "probe/attached_site.h"

#include <fmt/format.h>

namespace kcost::probe {
namespace {

// Machines with fewer CPUs stop and go on in no time.
constexpr unsigned kManyCpus = 32;
// A probe at entry and one at exit, each armed once and disarmed once.
constexpr unsigned kStopsTimed = 4;
constexpr unsigned kStopsCounted = 2;

}  // namespace

// Every arming and disarming of a kprobe runs under stop_machine on arm64
// (aarch64_insn_patch_text, 5.10 to 7.2).
Result<void> SiteAttacher::may_stop(unsigned more) const {
    if (cpus_ < kManyCpus || stops_ + more <= allow_stops_) return {};
    return fail(fmt::format("kprobes would stop all {} CPUs {} times", cpus_, stops_ + more),
                fmt::format("--allow-stops {}", stops_ + more), ExitCode::kCannotHere);
}

std::vector<Mechanism> SiteAttacher::ladder(const Place& place) const {
    if (!place.user_path.empty()) return {Mechanism::kUser};
    // BTF has one function of a name: which of several it is cannot be told.
    if (place.by_address || !no_fentry_.empty()) return {Mechanism::kKprobe};
    return {Mechanism::kFentry, Mechanism::kKprobe};
}

Result<AttachedSite> SiteAttacher::attach(const Place& place, const kc_settings& settings) {
    std::string failures;
    if (place.by_address) failures = "fentry: several functions have this name";
    if (!place.by_address && !no_fentry_.empty()) failures = "fentry: " + no_fentry_;
    bool counted = settings.flags & KC_FLAG_COUNT_ONLY;
    unsigned stops = counted ? kStopsCounted : kStopsTimed;
    for (Mechanism mechanism : ladder(place)) {
        if (mechanism == Mechanism::kKprobe) {
            auto allowed = may_stop(stops);
            if (!allowed) return tl::unexpected(allowed.error());
        }
        auto programs = SpanPrograms::attach(mechanism, place, settings, shared_);
        if (programs) {
            if (mechanism == Mechanism::kKprobe) stops_ += stops;
            return AttachedSite{std::move(*programs), mechanism,
                                failures.empty() ? "cheapest" : failures};
        }
        const std::string& what = programs.error().what;
        bool everywhere = what.find("ENOTSUPP") != std::string::npos;
        if (mechanism == Mechanism::kFentry && everywhere) no_fentry_ = what;
        failures += (failures.empty() ? "" : "; ") + std::string(name_of(mechanism)) + ": " + what;
    }
    const char* hint = place.user_path.empty() ? "kcost doctor tells what this kernel lacks" : "";
    return fail(failures, hint, ExitCode::kCannotHere);
}

}  // namespace kcost::probe
