#include "probe/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "base/log.h"
#include "base/text.h"
#include "kernel/capability.h"
#include "kernel/cpus.h"
#include "kernel/limits.h"
#include "kernel/machine.h"
#include "model/figures.h"
#include "probe/attached_site.h"
#include "probe/figures.h"
#include "probe/floor.h"
#include "probe/heartbeat.h"
#include "probe/open_spans.h"
#include "probe/payers.h"
#include "probe/split_rows.h"

namespace kcost::probe {
namespace {

constexpr unsigned kSpareFds = 24;
constexpr std::uint64_t kMemoryShare = 100;  // at most 1% of RAM

struct RunningSite {
    std::size_t planned;  ///< index into the plan's sites, which is the programs' target number
    AttachedSite attached;
    std::uint64_t ended = 0;
};

std::string shown_name(const Place& place) {
    if (!place.user_path.empty()) return place.user_path + ":" + place.function;
    return place.label.empty() ? place.function : place.label;
}

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

struct Session::State {
    kernel::Root root;
    SessionOptions options;
    Plan plan;
    unsigned cpus_possible = 1;
    unsigned cpus_online = 1;
    model::Machine machine;
    std::string started_at;
    std::optional<SharedMaps> shared;
    std::optional<Heartbeat> heartbeat;
    std::vector<RunningSite> sites;
    unsigned stops = 0;
    std::map<Mechanism, std::uint64_t> floors;  ///< ns, of mechanisms in use once counting began
    std::unique_ptr<Payers> payers;
    bool pids_comparable = false;
    bool stopped = false;

    Result<void> read_machine();
    Result<void> make_maps();
    Result<void> attach_sites();
    Result<void> check_targets() const;
    Result<void> try_breakpoints();
    void measure_floors();
    void follow_cpus();
    std::uint64_t floor_ns(Mechanism mechanism) const;
    void skip(const PlannedSite& site, const Error& error);
    void reclaim_ended_tasks();
    std::vector<std::optional<std::size_t>> target_of_site() const;
    model::Site describe_site(const RunningSite& running) const;
    void add_sites(model::Recording& recording, bool names) const;
};

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

std::uint64_t Session::State::floor_ns(Mechanism mechanism) const {
    auto floor = floors.find(mechanism);
    return floor == floors.end() ? 0 : floor->second;
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

std::vector<std::optional<std::size_t>> Session::State::target_of_site() const {
    std::vector<std::optional<std::size_t>> targets;
    for (const PlannedSite& site : plan.sites) targets.push_back(site.target);
    return targets;
}

// All figures first, and names only then: those may take long, while sites go on counting.
void Session::State::add_sites(model::Recording& recording, bool names) const {
    std::vector<std::vector<model::Figures>> figures;
    for (const RunningSite& running : sites) {
        figures.push_back(read_all_figures(running.attached.programs));
    }
    recording.window_ns = heartbeat->window_ns();
    auto open = count_open(shared->sets(), shared->sizes().sets, plan.sites.size());
    for (std::size_t i = 0; i < sites.size(); i++) {
        const PlannedSite& planned = plan.sites[sites[i].planned];
        if (!planned.target) continue;
        model::Site site = describe_site(sites[i]);
        for (const model::Figures& part : figures[i]) model::add(site.figures, part);
        const SpanPrograms& programs = sites[i].attached.programs;
        site.splits = split_rows(programs, plan.targets[*planned.target].split, figures[i],
                                 names ? payers.get() : nullptr);
        site.in_flight = open[sites[i].planned];
        bool amid = sites[i].attached.mechanism == Mechanism::kOpsite;
        SiteLedger ledger{site.in_flight, shared->discarded()[sites[i].planned], sites[i].ended,
                          amid};
        site.lost = read_losses(programs, ledger);
        recording.targets[*planned.target].sites.push_back(std::move(site));
    }
}

model::Site Session::State::describe_site(const RunningSite& running) const {
    const PlannedSite& planned = plan.sites[running.planned];
    model::Site site;
    site.function = shown_name(planned.place);
    site.address = planned.place.address;
    site.mechanism = name_of(running.attached.mechanism);
    site.reason = running.attached.reason;
    site.detail = planned.detail;
    site.repeated = planned.repeated;
    const std::string& counted = running.attached.counted_reason;
    site.counted_only = planned.count_only || !counted.empty();
    site.counted_reason = counted.empty() ? planned.count_reason : counted;
    site.upper_bound = site.counted_only && running.attached.mechanism == Mechanism::kHwbreak;
    site.floor_ns = floor_ns(running.attached.mechanism);
    return site;
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

model::Recording Session::recording(bool names) {
    model::Recording recording;
    recording.kcost_version = KCOST_VERSION;
    recording.command_line = state_->options.command_line;
    recording.started_at = state_->started_at;
    recording.machine = state_->machine;
    recording.cpus = state_->cpus_online;
    recording.payers_one_in = state_->options.payers_one_in;
    recording.whole = state_->stopped;
    recording.live = !state_->stopped;
    recording.gaps = state_->heartbeat->gaps();
    recording.warnings = state_->plan.warnings;
    for (std::size_t i = 0; i < state_->plan.targets.size(); i++) {
        const model::HotPath& path = state_->plan.targets[i];
        model::Target target;
        target.name = path.name;
        target.summary = path.summary;
        target.never_preempted = path.never_preempted;
        target.skipped = state_->plan.skipped[i];
        target.sites_found = state_->plan.sites_found[i];
        for (const model::Condition& condition : path.when) {
            target.filtered_by_result = target.filtered_by_result || condition.operand.is_return;
        }
        recording.targets.push_back(std::move(target));
    }
    state_->add_sites(recording, names);
    state_->payers->collect(*state_->shared, state_->target_of_site(), names, recording);
    return recording;
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
