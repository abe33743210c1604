// All that one measurement saw, with the machine's facts: what the file holds. Passive data.
// Times are ns of CLOCK_MONOTONIC unless said otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/histogram.h"

namespace kcost::model {

/// Facts of the machine in the order they are shown: key such as "kernel.release", "cpu.online",
/// "cpu.midr", "memory.page_size", "clock.resolution_ns", "emulated".
using Machine = std::vector<std::pair<std::string, std::string>>;

/// One reason why hits did not become spans. No count: the kernel does not tell.
struct Loss {
    enum class Kind {
        kEntry,   ///< a counted entry: entries = spans + rejected + in flight + these
        kUnseen,  ///< a hit that the programs never saw, so not among the entries
        kOther,   ///< worth knowing, but no hit is lost: an exit without entry, a stack not kept
    };
    std::string reason;
    std::optional<std::uint64_t> count;
    Kind kind = Kind::kEntry;
};

struct Figures {
    std::uint64_t entries = 0;
    std::uint64_t spans = 0;     ///< entries whose exit was seen and passed the filters
    std::uint64_t rejected = 0;  ///< spans that the filter on the result left out
    std::uint64_t total_ns = 0;  ///< recursion not added twice
    std::uint64_t self_ns = 0;   ///< less the time in other targets of the recording
    std::uint64_t max_ns = 0;
    Histogram durations;
};

/// One value of a target's split.
struct SplitRow {
    std::optional<std::uint64_t> value;  ///< none: not split by value
    std::string caller;                  ///< symbol+offset, "other", or empty
    std::string value_name;
    Figures figures;
};

/// One probed function of a target, or one of its instructions ("function+0x1c").
struct Site {
    std::string function;  ///< kernel symbol, or PATH:FUNCTION
    std::uint64_t address = 0;
    std::string mechanism;  ///< fentry, kprobe, user, …
    std::string reason;     ///< why that mechanism
    std::string detail{};   ///< what an operation consists of: "vale1is; …"
    bool repeated = false;  ///< an operation that runs twice, for an erratum of the CPU
    bool counted_only = false;
    std::string counted_reason{};  ///< why, where nobody asked for that
    bool upper_bound = false;  ///< a hit may have been counted more than once
    Figures figures;           ///< all splits together
    std::vector<SplitRow> splits;
    std::uint64_t in_flight = 0;
    std::vector<Loss> lost;
    std::uint64_t floor_ns = 0;  ///< what a span of nothing costs with this mechanism; 0 unknown
};

/// A target that could not be measured, wholly or in part.
struct Skipped {
    std::string function;
    std::string reason;
    std::string remedy;
};

struct Target {
    std::string name;
    std::string summary;
    std::string note;  ///< what a reader must know, such as "result filter needs kretprobe"
    bool never_preempted = false;
    bool filtered_by_result = false;  ///< calls are the spans that passed, not the entries
    std::vector<Site> sites;
    std::vector<Skipped> skipped;
    std::uint64_t sites_found = 0;  ///< of an operation, those not armed among them; else 0
};

/// Who made a target run, from one hit in `one_in`.
struct Payer {
    std::size_t target = 0;  ///< index into targets
    std::uint32_t tgid = 0;
    std::string comm;
    std::vector<std::uint32_t> frames;  ///< indices into frame_names, the leaf first
    std::uint64_t spans = 0;            ///< hits seen, not scaled
    std::uint64_t total_ns = 0;         ///< of those hits
};

/// Time in which nothing was counted though the window was open.
struct Gap {
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
    std::string cause;
};

struct Recording {
    std::string kcost_version;
    std::string command_line;
    std::string started_at;  ///< UTC, ISO 8601
    Machine machine;
    std::uint64_t window_ns = 0;      ///< counted time: gaps are already taken off
    unsigned cpus = 0;                ///< online at start
    std::uint32_t payers_one_in = 0;  ///< 0: no payers were recorded
    bool whole = false;               ///< false: a checkpoint, the recorder did not finish
    bool live = false;  ///< read while counting, so ledgers need not balance; not in the file
    std::vector<Gap> gaps;
    std::vector<Target> targets;
    std::vector<Payer> payers;
    std::vector<std::string> frame_names;  ///< symbol, symbol+0x.., or [object]+0x..
    std::vector<std::string> warnings;
};

}  // namespace kcost::model
