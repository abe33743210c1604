// Trying mechanisms in order on a planned site until one attaches.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probe/plan.h"
#include "probe/settings.h"
#include "probe/shared_maps.h"
#include "probe/span_programs.h"

namespace kcost::probe {

struct AttachedSite {
    SpanPrograms programs;
    Mechanism mechanism;
    std::string reason;          ///< why this mechanism: what was tried before it and failed
    std::string counted_reason;  ///< why this mechanism only counts here; empty: it does not
};

class SiteAttacher {
public:
    SiteAttacher(const SharedMaps& shared, unsigned cpus, unsigned allow_stops)
        : shared_(shared), cpus_(cpus), allow_stops_(allow_stops) {}

    Result<AttachedSite> attach(const Place& place, const kc_settings& settings);

    /// Asked once before the first hardware breakpoint is set everywhere: may it be?
    using BreakpointGuard = std::function<Result<void>()>;
    void guard_breakpoints(BreakpointGuard guard) { guard_ = std::move(guard); }

    /// Stops of all CPUs that the kprobes armed so far cost, with their disarming.
    unsigned stops() const { return stops_; }

private:
    Result<void> may_stop(unsigned more) const;
    Result<void> may_break(unsigned more);
    Result<unsigned> free_breakpoints();
    void leave_exits_out(Place& place);
    Result<void> may_attach(Mechanism mechanism, const Place& place, bool counted);
    Result<std::string> why_counted(const Place& place, const kc_settings& settings);
    Result<AttachedSite> try_mechanism(Mechanism mechanism, const Place& place,
                                       const kc_settings& settings);
    Result<AttachedSite> attach_by(Mechanism mechanism, const Place& place,
                                   const kc_settings& settings);
    Result<AttachedSite> attach_counted(Mechanism mechanism, const Place& place,
                                        kc_settings settings, std::string reason);
    Result<AttachedSite> attach_breakpoints(Place place, const kc_settings& settings);
    Result<AttachedSite> attach_operation(const Place& place, const kc_settings& settings);
    void note_costs(Mechanism mechanism, const Place& place, bool counted);
    std::vector<Mechanism> ladder(const Place& place) const;
    std::string why_no_fentry(const Place& place) const;

    const SharedMaps& shared_;
    unsigned cpus_;
    unsigned allow_stops_;
    unsigned stops_ = 0;
    unsigned breakpoints_ = 0;                  ///< registers of each CPU that are taken
    std::string no_fentry_;                     ///< why fentry attaches nowhere here, once known
    BreakpointGuard guard_;                     ///< none: no breakpoint is set
    std::optional<Result<void>> guard_answer_;  ///< once it was asked
};

}  // namespace kcost::probe
