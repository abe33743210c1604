// Private to session.cpp and session_recording.cpp: what a session holds while it lives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/recording.h"
#include "probe/attached_site.h"
#include "probe/heartbeat.h"
#include "probe/payers.h"
#include "probe/plan.h"
#include "probe/session.h"
#include "probe/shared_maps.h"

namespace kcost::probe {

struct RunningSite {
    std::size_t planned;  ///< index into the plan's sites, which is the programs' target number
    AttachedSite attached;
    std::uint64_t ended = 0;
};

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

/// What a site is called: a program's function with its file, an operation by its label.
std::string shown_name(const Place& place);

}  // namespace kcost::probe
