// What `kcost confirm` found between two measurements: all that its formats show. Passive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/estimate.h"
#include "model/graded_claims.h"
#include "model/patch.h"
#include "model/patch_finding.h"

namespace kcost::model {

/// The unit of the statistics, with its raw points.
struct BootPoints {
    std::string id;              ///< boot_id; may be empty
    std::vector<double> values;  ///< of its bare repetitions, in their order
};

struct MetricSide {
    std::vector<BootPoints> boots;
    double mean = 0;           ///< of the boots' means
    std::optional<double> sd;  ///< of the boots' means, the sample's; none: fewer than two boots
};

/// The benefit over that of a control in the same boots.
struct RelativeRatio {
    std::string control;
    std::optional<Estimate> ratio;
    std::string missing;  ///< why there is none
};

/// A workload's metric: a benefit, or a control's.
struct ConfirmedMetric {
    std::string name;  ///< the workload, and its metric where it has several
    std::string unit;  ///< "/s"; may be empty
    bool higher_is_better = true;
    bool control = false;
    MetricSide before;
    MetricSide after;
    std::optional<Estimate> ratio;  ///< after / before
    double level = 0;               ///< of the ratio's interval: 0.983
    double df = 0;
    double p = 1;
    std::optional<double> permutation_p;  ///< a cross-check, of as many boots as can show 5%
    std::string state;    ///< "better", "equivalent", "not judged", …: a word or a few
    std::string missing;  ///< why it is not judged
    std::vector<RelativeRatio> relative;
};

/// Events of one side, and what made them.
struct CountedSide {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;  ///< known to be among neither; they widen the intervals
    std::uint64_t operations = 0;
    std::optional<Estimate> rate;  ///< events per operation, exact
    std::string mechanism;         ///< "kprobe"
};

/// A change of the hot path itself.
struct ConfirmedEffect {
    std::string name;       ///< "flushes of the slot"
    std::string workload;   ///< that made it run
    std::string operation;  ///< "hits": the rates are per one of them
    EffectOf of = EffectOf::kCalls;
    CountedSide before;
    CountedSide after;
    std::optional<double> before_mean;  ///< of boots: ns a call, instructions an operation
    std::optional<double> after_mean;
    std::optional<Estimate> ratio;  ///< 95%; exact for counts
    bool judged = false;            ///< the verdict hangs on it
    std::string note;               ///< why it is not judged, or what to know
};

/// A target's share of the sampled cycles.
struct CycleShare {
    std::string target;
    std::string workload;
    std::optional<Estimate> before;
    std::optional<Estimate> after;
};

struct ConfirmedSide {
    std::string file;
    std::string release;
    std::string build_id;
    std::size_t boots = 0;
    std::size_t bare = 0;  ///< repetitions
    std::size_t probed = 0;
    std::size_t sampled = 0;
    PatchFinding finding;            ///< of the patch
    std::vector<std::string> notes;  ///< failures, noise, overhead, losses: one line each
};

struct ComparedFact {
    std::string key;
    std::string before;
    std::string after;
    std::string needed_for;  ///< "counts", "times" or empty: shown only
    bool differs = false;
};

struct Confirmation {
    std::string verdict;  ///< "confirmed", "mechanism only", …
    int exit_status = 0;
    std::optional<GradedPatch> patch;
    bool kernel_change = false;  ///< the kernels differ in more than the patch
    bool same_kernel = false;
    bool emulated = false;
    unsigned look = 1;
    unsigned most_looks = 0;
    std::vector<std::string> reasons;
    std::optional<std::size_t> boots_needed;
    ConfirmedSide before;
    ConfirmedSide after;
    std::vector<ConfirmedEffect> effects;
    std::vector<CycleShare> shares;
    std::vector<ConfirmedMetric> metrics;   ///< benefits first
    std::vector<std::string> unattributed;  ///< what cannot be told to be the patch's, and why
    std::vector<std::string> notes;
    std::vector<ComparedFact> facts;
};

}  // namespace kcost::model
