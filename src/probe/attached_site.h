// Trying mechanisms in order on a planned site until one attaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/plan.h"
#include "probe/settings.h"
#include "probe/shared_maps.h"
#include "probe/span_programs.h"

namespace kcost::probe {

struct Attempt {
    Mechanism mechanism;
    std::string failure;  ///< empty: this one attached
};

struct AttachedSite {
    SpanPrograms programs;
    Mechanism mechanism;
    std::string reason;  ///< why this mechanism: what was tried before it and failed
};

class SiteAttacher {
public:
    SiteAttacher(const SharedMaps& shared, unsigned cpus, unsigned allow_stops)
        : shared_(shared), cpus_(cpus), allow_stops_(allow_stops) {}

    Result<AttachedSite> attach(const Place& place, const kc_settings& settings);

    /// Stops of all CPUs that the kprobes armed so far cost, with their disarming.
    unsigned stops() const { return stops_; }

private:
    Result<void> may_stop(unsigned more) const;
    std::vector<Mechanism> ladder(const Place& place) const;

    const SharedMaps& shared_;
    unsigned cpus_;
    unsigned allow_stops_;
    unsigned stops_ = 0;
    std::string no_fentry_;  ///< why fentry attaches nowhere here, once that is known
};

}  // namespace kcost::probe
