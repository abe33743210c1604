// From a site's cells to its figures and its ledger.
#pragma once

#include <cstdint>
#include <vector>

#include "model/recording.h"
#include "probe/attached_site.h"

namespace kcost::probe {

/// What user space knows of a site besides its cells.
struct SiteLedger {
    std::uint64_t in_flight = 0;
    std::uint64_t no_exit = 0;  ///< frames found stale
    std::uint64_t ended = 0;    ///< frames of tasks that ended inside
    bool amid = false;          ///< its exits are probes of their own, not return probes
};

/// By split, the sums over all CPUs.
std::vector<model::Figures> read_all_figures(const SpanPrograms& programs);

/// All losses, also those of which there were none: 0 and unknown are not the same.
std::vector<model::Loss> read_losses(const SpanPrograms& programs, const SiteLedger& ledger);

/// Sum of one loss over CPUs and splits.
std::uint64_t read_loss(const SpanPrograms& programs, kc_lost reason);

}  // namespace kcost::probe
