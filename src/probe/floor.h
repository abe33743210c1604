// What a span of nothing costs with a mechanism: its programs on a trivial function that we call
// ourselves. Also how `kcost doctor` tries each mechanism for real.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/root.h"
#include "model/recording.h"
#include "probe/shared_maps.h"
#include "probe/span_programs.h"

namespace kcost::probe {

/// One mechanism, tried.
struct Trial {
    std::string function;        ///< what was called
    std::string remedy;          ///< what mends the failure; may be empty
    std::string failure;         ///< why it does not work here; empty: it does
    std::uint64_t calls = 0;     ///< that we made
    std::uint64_t counted = 0;   ///< at least that many, where all is well: others may call it too
    std::uint64_t floor_ns = 0;  ///< 0: unknown
};

/// Its programs share maps and a switch of their own: the programs of a session stay stopped
/// meanwhile, and neither its ledger nor its window learns of this.
class FloorMeter {
public:
    /// `allow_stops`: of all CPUs, that a kprobe here may still cost.
    FloorMeter(kernel::Root root, unsigned allow_stops)
        : root_(std::move(root)), allow_stops_(allow_stops) {}

    Trial try_out(Mechanism mechanism);

private:
    /// Makes the calls; false where they did not end in time.
    using Calls = std::function<bool()>;
    Result<void> make_maps();
    Result<SpanPrograms> attach(Mechanism mechanism, const Place& place) const;
    Result<void> count(SpanPrograms& programs, const Calls& calls, Trial& trial);
    Result<void> try_function(Mechanism mechanism, Trial& trial);
    Result<void> try_instructions(Trial& trial);
    Result<void> try_breakpoint(Trial& trial);

    kernel::Root root_;
    unsigned allow_stops_;
    unsigned cpus_possible_ = 1;
    unsigned cpus_online_ = 1;
    std::optional<SharedMaps> maps_;
};

/// The middle span: an interrupt makes some long, and no luck makes half of them short.
std::uint64_t floor_of(const model::Figures& figures);

/// Each mechanism, in the order of the planner's ladder, without a Session: for doctor.
std::vector<std::pair<Mechanism, Trial>> try_mechanisms(const kernel::Root& root);

}  // namespace kcost::probe
