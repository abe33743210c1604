// What `kcost measure` tells at the end of a session, computed from the measurement. Passive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kcost::model {

/// A metric of a workload in this session's bare repetitions.
struct MeasuredMetric {
    std::string workload;
    bool control = false;
    std::string metric;
    std::string unit;
    std::size_t n = 0;
    double mean = 0;
    double sd = 0;  ///< of the sample; 0 of fewer than two
};

/// A target in this session's probed repetitions of a workload, and its samples.
struct MeasuredTarget {
    std::string workload;
    std::string operation;  ///< "hits"; empty: operations are not known
    std::string target;
    std::string mechanism;  ///< empty: it was not measured
    std::string missing;    ///< why
    std::uint64_t calls = 0;
    std::uint64_t operations = 0;
    std::optional<double> ns;  ///< a call; none: not timed, or at the floor
    bool at_floor = false;
    std::optional<double> share;  ///< of the sampled cycles; none: not sampled
};

/// What A/A says: one kernel over several boots. Fractions.
struct MeasuredResolution {
    double effect = 0;                 ///< 0.01: 1%
    std::optional<std::size_t> boots;  ///< a side
};

struct MeasuredSpread {
    std::string workload;
    std::string metric;
    std::string missing;  ///< why there is none
    double boot_sd = 0;
    double repetition_sd = 0;
    bool boot_negative = false;  ///< repetitions explain all
    double repetitions = 0;      ///< a boot
    std::vector<MeasuredResolution> resolutions;
};

struct MeasuredSummary {
    std::string release;
    std::string ended;
    std::size_t boots = 0;     ///< in the file, this one included
    std::size_t sessions = 0;  ///< likewise
    std::uint64_t seed = 0;
    bool emulated = false;
    std::vector<MeasuredMetric> metrics;
    std::vector<MeasuredTarget> targets;
    std::vector<MeasuredSpread> spreads;  ///< of an A/A
    std::vector<std::string> notes;       ///< noise, doubtful proofs, lost hits: one line each
};

}  // namespace kcost::model
