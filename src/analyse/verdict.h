// The verdict of `kcost confirm`: from evidence, effects and comparability to one of six answers,
// with all that held it down. Pure; it reads no recording and prints nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyse/compare.h"
#include "analyse/equivalence.h"
#include "analyse/estimate.h"
#include "base/result.h"

namespace kcost {

/// The value is the exit status of `kcost confirm`.
enum class Outcome : int {
    kConfirmed = 0,
    kMechanismOnly = 10,
    kNoEffect = 11,
    kRegressed = 12,
    kUndecided = 13,
    kNotComparable = 14,
};

/// What a kernel's text says about the patch.
enum class Evidence { kPresent, kAbsent, kSuperseded, kCannotTell };

enum class Scope {
    kPatch,         ///< same release and config: only the patch differs
    kKernelChange,  ///< anything else: at most kMechanismOnly
};

/// A change of the hot path itself.
struct MechanismEffect {
    std::string name;   ///< "flushes per hit"
    Estimate ratio;     ///< after / before, 95%; exact for counts (rates.h)
    bool falls = true;  ///< the patch makes it less; else more
    bool is_time = false;
    bool complete = true;  ///< the ledger balances on both sides
    /// What counts as a change at all: boots move counts a little, and millions of them make any
    /// move significant.
    double least_effect = 0.02;
};

/// A change of the workload's own metric.
struct Benefit {
    std::string name;
    std::optional<Comparison> comparison;  ///< at any level: the verdict sets its own
    std::string missing;                   ///< why there is none
    bool higher_is_better = true;
    std::optional<double> claimed_ratio;  ///< after / before, as the patch says
};

/// A workload that the patch must not change.
struct Control {
    std::string name;
    std::optional<Comparison> comparison;
    std::string missing;
};

struct VerdictInput {
    Scope scope = Scope::kKernelChange;
    bool same_kernel = false;  ///< same build id: an A/A
    bool emulated = false;     ///< time is not true
    unsigned look = 1;         ///< this one, counted from 1
    Evidence before = Evidence::kCannotTell;
    Evidence after = Evidence::kCannotTell;
    /// Facts that must match and do not, as they are told: "page size: 4096, 65536". What counts
    /// need, times need as well.
    std::vector<std::string> counts_differ;
    std::vector<std::string> times_differ;
    std::vector<MechanismEffect> mechanism;
    std::vector<Benefit> benefits;
    std::vector<Control> controls;
};

struct Verdict {
    Outcome outcome = Outcome::kUndecided;
    std::vector<std::string> reasons;  ///< one line each: what was found, and what held it down
    /// Boots a side that would settle it, in four cases of five. None: no number of boots would, or
    /// more than kMostBoots.
    std::optional<std::size_t> boots_needed;
    std::vector<Benefit> benefits;      ///< with intervals at the level of look and Holm's step
    std::vector<Equivalence> controls;  ///< of those that were measured, in their order
};

/// *Undecided* is what more boots could raise to *confirmed*, and what contradicts itself; where
/// something else than boots caps the verdict, it is what stands without the benefit.
/// Error: a fourth look.
Result<Verdict> decide(const VerdictInput& input);

}  // namespace kcost
