#include "probe/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/log.h"
#include "base/text.h"
#include "kernel/capability.h"
#include "kernel/cpus.h"
#include "kernel/limits.h"
#include "kernel/machine.h"
#include "probe/floor.h"
#include "probe/open_spans.h"
#include "probe/session_state.h"

namespace kcost::probe {
namespace {

constexpr unsigned kSpareFds = 24;
constexpr std::uint64_t kMemoryShare = 100;  // at most 1% of RAM

// A breakpoint takes an event and a link on each CPU.
std::uint64_t descriptors_of(const Place& place, unsigned cpus) {
    constexpr std::uint64_t kOfAProbe = 2;
    std::uint64_t points = 1 + place.exits.size();
    return kSiteFds + kOfAProbe * points * (place.may_break ? cpus : 1);
}

Result<void> check_file_descriptors(const std::vector<PlannedSite>& sites, unsigned cpus) {
    auto open = kernel::open_files();
    std::uint64_t wanted = (open ? *open : 0) + kSpareFds;
    for (const PlannedSite& site : sites) wanted += descriptors_of(site.place, cpus);
    auto limit = kernel::raise_open_files(wanted);
    if (!limit) return tl::unexpected(limit.error());
    return {};
}

}  // namespace

Result<void> Session::State::read_machine() {
    auto possible = kernel::possible_cpus(root);
    if (!possible) return tl::unexpected(possible.error());
    cpus_possible = *possible;
    auto online = kernel::online_cpus(root);
    if (!online) return tl::unexpected(online.error());
    cpus_online = static_cast<unsigned>(online->size());
    machine = kernel::read_machine(root);
    started_at = format_utc(std::time(nullptr));
    machine.emplace_back("clock.started_ns", std::to_string(monotonic_ns()));
    return {};
}

Result<void> Session::State::make_maps() {
    auto memory = kernel::read_memory(root);
    auto threads = kernel::thread_count(root);
    if (!memory) return tl::unexpected(memory.error());
    std::size_t limit = memory->total_bytes / kMemoryShare;
    std::size_t site_total = 0;
    for (std::size_t i = 0; i < plan.sites.size(); i++) {
        auto settings = make_settings(plan, i, {cpus_possible, 1, options.payers_one_in});
        if (!settings) return tl::unexpected(settings.error());
        site_total += site_bytes(*settings);
    }
    std::size_t rest = site_total < limit ? limit - site_total : 0;
    SharedMapSizes sizes =
        choose_sizes(threads ? *threads : 0, static_cast<std::uint32_t>(plan.sites.size()), rest);
    if (sizes.bytes() + site_total > limit) {
        return fail(fmt::format("cannot measure {} functions on {} CPUs: the tables would take {} "
                                "of {} KiB of memory, more than 1%",
                                plan.sites.size(), cpus_possible,
                                (sizes.bytes() + site_total) / 1024, memory->total_bytes / 1024),
                    "name fewer targets, or count only", ExitCode::kCannotHere);
    }
    auto maps = SharedMaps::create(sizes);
    if (!maps) return tl::unexpected(maps.error());
    shared = std::move(*maps);
    return {};
}

void Session::State::skip(const PlannedSite& site, const Error& error) {
    if (!site.target) return;
    plan.skipped[*site.target].push_back({shown_name(site.place), error.what, error.hint});
}

Result<void> Session::State::attach_sites() {
    SiteAttacher attacher(*shared, cpus_online, options.allow_stops);
    attacher.guard_breakpoints([this] { return try_breakpoints(); });
    std::vector<bool> running(plan.sites.size());
    for (std::size_t i = 0; i < plan.sites.size(); i++) {
        const PlannedSite& site = plan.sites[i];
        if (site.gate && !running[*site.gate]) {
            skip(site, {"within: " + plan.sites[*site.gate].place.function + " cannot be probed",
                        "", ExitCode::kCannotHere});
            continue;
        }
        if (options.progress) options.progress(i, plan.sites.size());
        if (options.interrupted && options.interrupted()) {
            return fail("interrupted while attaching", "", ExitCode::kInterrupted);
        }
        auto settings =
            make_settings(plan, i, {cpus_possible, shared->sizes().sets, options.payers_one_in});
        if (!settings) return tl::unexpected(settings.error());
        auto attached = attacher.attach(site.place, *settings);
        if (!attached) {
            skip(site, attached.error());
            continue;
        }
        running[i] = true;
        sites.push_back({i, std::move(*attached), 0});
    }
    if (options.progress) options.progress(plan.sites.size(), plan.sites.size());
    stops = attacher.stops();
    return {};
}

Result<void> Session::State::try_breakpoints() {
    Trial trial = FloorMeter(root, 0).try_out(Mechanism::kHwbreak);
    if (!trial.failure.empty()) {
        return fail(trial.failure, trial.remedy, ExitCode::kCannotHere);
    }
    floors[Mechanism::kHwbreak] = trial.floor_ns;
    return {};
}

// The session's own programs are attached by then, but stopped. A floor that cannot be measured is
// unknown, no error.
void Session::State::measure_floors() {
    if (!options.floors) return;
    FloorMeter meter(root, options.allow_stops > stops ? options.allow_stops - stops : 0);
    for (const RunningSite& site : sites) {
        Mechanism mechanism = site.attached.mechanism;
        if (floors.contains(mechanism)) continue;
        std::uint64_t began_ns = monotonic_ns();
        Trial trial = meter.try_out(mechanism);
        log::debug(fmt::format("floor of {}: {} ns, {} (took {})", name_of(mechanism),
                               trial.floor_ns, trial.failure.empty() ? "well" : trial.failure,
                               format_ns(static_cast<double>(monotonic_ns() - began_ns))));
        floors[mechanism] = trial.floor_ns;
    }
}

// What cannot be set again is told once: the figures of that CPU end there.
void Session::State::follow_cpus() {
    auto online = kernel::online_cpus(root);
    if (!online) return;
    for (RunningSite& site : sites) {
        auto followed = site.attached.programs.follow_cpus(*online);
        if (followed) continue;
        std::string warning = shown_name(plan.sites[site.planned].place) +
                              ": not measured on a CPU that came online: " + followed.error().what;
        auto& warnings = plan.warnings;
        bool told = std::find(warnings.begin(), warnings.end(), warning) != warnings.end();
        if (!told) warnings.push_back(std::move(warning));
    }
}

// An error where no target at all is left, with the reason of each.
Result<void> Session::State::check_targets() const {
    for (const RunningSite& site : sites) {
        if (plan.sites[site.planned].target) return {};
    }
    if (plan.targets.empty()) return fail("no target was named", "-t FUNCTION", ExitCode::kUsage);
    Error error = explain_skipped(plan.targets.front(), plan.skipped.front());
    for (std::size_t i = 1; i < plan.targets.size(); i++) {
        Error other = explain_skipped(plan.targets[i], plan.skipped[i]);
        error.what += "; " + other.what;
        if (error.hint.empty()) error.hint = other.hint;
    }
    return tl::unexpected(error);
}

// Their frames would hold slots for ever, and be no longer in flight.
void Session::State::reclaim_ended_tasks() {
    if (!pids_comparable) return;
    auto ended =
        reclaim_ended(shared->sets(), shared->sizes().sets, plan.sites.size(), thread_exists);
    for (RunningSite& site : sites) site.ended += ended[site.planned];
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::attach(std::vector<model::HotPath> targets,
                                const SessionOptions& options) {
    auto state = std::make_unique<State>();
    state->options = options;
    take_over_libbpf_messages();
    auto rights = kernel::require_tracing_rights(state->root);
    if (!rights) return tl::unexpected(rights.error());
    auto plan =
        make_plan(state->root, std::move(targets), {options.count_only, options.time_throwing});
    if (!plan) return tl::unexpected(plan.error());
    state->plan = std::move(*plan);
    if (state->plan.sites.empty()) return tl::unexpected(state->check_targets().error());
    auto read = state->read_machine();
    if (!read) return tl::unexpected(read.error());
    auto descriptors = check_file_descriptors(state->plan.sites, state->cpus_online);
    if (!descriptors) return tl::unexpected(descriptors.error());
    auto maps = state->make_maps();
    if (!maps) return tl::unexpected(maps.error());
    auto heartbeat = Heartbeat::start(*state->shared);
    if (!heartbeat) return tl::unexpected(heartbeat.error());
    state->heartbeat = std::move(*heartbeat);
    state->pids_comparable =
        state->shared->control().self_tgid == static_cast<std::uint32_t>(::getpid());
    state->payers = std::make_unique<Payers>(state->root);
    auto attached = state->attach_sites();
    if (!attached) return tl::unexpected(attached.error());
    auto checked = state->check_targets();
    if (!checked) return tl::unexpected(checked.error());
    return Session(std::move(state));
}

Result<void> Session::start_counting() {
    state_->measure_floors();
    return state_->heartbeat->resume();
}

Result<void> Session::beat() {
    auto beat = state_->heartbeat->beat();
    if (!beat) return beat;
    state_->follow_cpus();
    state_->reclaim_ended_tasks();
    state_->payers->look_at_processes(*state_->shared);
    return {};
}

void Session::stop_counting() {
    if (state_->stopped) return;
    state_->heartbeat->stop();
    state_->stopped = true;
    // Programs that had begun finish within microseconds; the ledger is read after them.
    ::usleep(2000);
    state_->reclaim_ended_tasks();
}

void Session::forget_maxima() {
    for (RunningSite& site : state_->sites) {
        const kc_settings& settings = site.attached.programs.settings();
        for (std::uint32_t i = 0; i < settings.cpus * settings.splits; i++) {
            site.attached.programs.cells()[i].max_ns = 0;
        }
    }
}

void Session::detach(void (*progress)(std::size_t done, std::size_t all)) {
    for (std::size_t i = 0; i < state_->sites.size(); i++) {
        state_->sites[i].attached.programs.detach();
        if (progress) progress(i + 1, state_->sites.size());
    }
}

std::vector<std::string> Session::warnings() const {
    std::vector<std::string> warnings = state_->plan.warnings;
    std::vector<bool> measured(state_->plan.targets.size());
    for (const RunningSite& site : state_->sites) {
        const auto target = state_->plan.sites[site.planned].target;
        if (target) measured[*target] = true;
    }
    for (std::size_t i = 0; i < measured.size(); i++) {
        if (measured[i]) continue;
        warnings.push_back(explain_skipped(state_->plan.targets[i], state_->plan.skipped[i]).what);
    }
    return warnings;
}

}  // namespace kcost::probe
