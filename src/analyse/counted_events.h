// How often an effect's events were counted in a workload, and what of them may be missing. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyse/estimate.h"
#include "base/result.h"
#include "model/measurement.h"
#include "model/patch.h"

namespace kcost {

struct CountedEvents {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;        ///< hits that may be events and were not seen, as far as known
    std::uint64_t operations = 0;  ///< that made them
    bool no_site = false;          ///< there is none in the functions that the effect is of
    bool upper_bound = false;      ///< some may have been counted twice
    std::string problem;           ///< why the count shows nothing; empty: it does
    std::string mechanism;
};

/// Over all probed repetitions of a workload.
CountedEvents count_events(const model::Measurement& side, std::size_t workload,
                           const model::ExpectedEffect& effect);

/// Events per operation, and after / before: exact, and wider by what was lost. Error: no
/// operations.
Result<Estimate> event_rate(const CountedEvents& side);
Result<Estimate> event_ratio(const CountedEvents& before, const CountedEvents& after);

}  // namespace kcost
