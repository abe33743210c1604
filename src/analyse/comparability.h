// What of two measurements may be compared: facts of the machine by class. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/confirmation.h"
#include "model/measurement.h"

namespace kcost {

struct Comparability {
    /// Release (without what the builder appended) and configuration are the same: only a patch may
    /// differ.
    bool same_release_and_config = false;
    bool same_kernel = false;  ///< one and the same
    bool emulated = false;     ///< a session was
    /// What differs, as it is told: "page size: 4096 before, 65536 after". Times need what counts
    /// need as well.
    std::vector<std::string> counts_differ;
    std::vector<std::string> times_differ;
    std::vector<std::string> notes;
    std::vector<model::ComparedFact> facts;  ///< all but those of a moment, such as the load
};

/// A fact that differs between the boots of a side differs from the other side, too. One that is
/// unknown on a side is not compared, and a note says so. Memory may differ by 2%, since kernels
/// keep more or less of it for themselves.
Comparability compare_machines(const model::Measurement& before, const model::Measurement& after);

}  // namespace kcost
