// What a session has seen so far, as a Recording.
#include <utility>

#include "model/figures.h"
#include "probe/figures.h"
#include "probe/open_spans.h"
#include "probe/session_state.h"
#include "probe/split_rows.h"

namespace kcost::probe {

std::string shown_name(const Place& place) {
    if (!place.user_path.empty()) return place.user_path + ":" + place.function;
    return place.label.empty() ? place.function : place.label;
}

std::uint64_t Session::State::floor_ns(Mechanism mechanism) const {
    auto floor = floors.find(mechanism);
    return floor == floors.end() ? 0 : floor->second;
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

}  // namespace kcost::probe
