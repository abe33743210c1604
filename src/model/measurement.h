// What `kcost measure` saw of one side of a comparison, over one boot or several: what its file
// holds. Passive data. Raw values only; what follows from them is analyse/'s.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/patch_finding.h"
#include "model/recording.h"
#include "model/ticks.h"

namespace kcost::model {

enum class Mode {
    kBare,     ///< nothing attached: the benefit
    kProbed,   ///< the targets probed: calls and time per operation
    kSampled,  ///< cycles sampled: the hot path's share of them
};

/// "bare", "probed", "sampled".
const char* to_string(Mode mode);

/// One figure of each repetition.
struct Metric {
    std::string name;  ///< "hits per second", "elapsed"
    std::string unit;  ///< "/s", "s"; may be empty
    bool higher_is_better = true;
    std::string source;  ///< where it is from: "units over time", "regex …", "pointer …", "clock"

    bool operator==(const Metric&) const = default;
};

/// What is repeated. Two sides are comparable where all of it is the same.
struct MeasuredWorkload {
    std::string name;                  ///< of kcost's own, or "command"
    std::vector<std::string> command;  ///< its words; empty: one of kcost's own
    std::vector<std::pair<std::string, std::string>> settings;  ///< "threads", "cpus", "seed", …
    bool control = false;                                       ///< the patch must not change it
    std::string unit;  ///< of work, in the plural: "hits"; empty: operations are not counted
    std::vector<Metric> metrics;

    bool operator==(const MeasuredWorkload&) const = default;
};

/// Something that disturbed a repetition, or a session.
struct Noise {
    std::string kind;   ///< "frequency", "steal", "other load", "thermal", "suspended", "hotplug"
    double amount = 0;  ///< a fraction: of the frequency, of the CPUs' time; 0: has none
    std::string says;   ///< one line for the reader
};

/// Samples whose address lies in a target.
struct TargetSamples {
    std::string target;
    std::uint64_t samples = 0;
};

/// What sampling saw, of all CPUs or of those of the workload.
struct Sampled {
    std::string event;  ///< "cycles", or "cpu-clock" where the CPU's counter cannot be had
    std::vector<unsigned> cpus;
    std::uint64_t samples = 0;              ///< all, idle CPUs give none
    std::uint64_t kernel_samples = 0;       ///< of these in the kernel
    std::optional<std::uint64_t> lost;      ///< none: the kernel does not tell
    bool masked_is_late = false;            ///< no pseudo-NMI: masked code is seen where it ends
    std::vector<TargetSamples> in_targets;  ///< without those that samples cannot be told of
};

/// One finished run of a workload.
struct Repetition {
    std::size_t workload = 0;  ///< index into Measurement::workloads
    Mode mode = Mode::kBare;
    unsigned block = 0;          ///< each has all modes of all workloads once, in random order
    unsigned order = 0;          ///< place in the session, from 0
    std::uint64_t began_ns = 0;  ///< CLOCK_MONOTONIC
    std::uint64_t took_ns = 0;   ///< set-up and warm-up included
    std::vector<double> values;  ///< one for each of the workload's metrics
    std::vector<Tick> ticks;     ///< of kcost's own workloads: what the value is made of
    Proof proof;
    std::vector<std::string> notes;  ///< such as the first instruction probed
    std::vector<Noise> noise;

    /// Of kBare, of kcost's own workloads: what their CPUs ran in the kernel during the ticks.
    /// None: they have no counter of it that can be had.
    std::optional<std::uint64_t> kernel_instructions;

    // Of kProbed. Units of work while the targets counted; 0: not known.
    std::uint64_t operations = 0;
    std::uint64_t window_ns = 0;  ///< in which was counted, gaps taken off
    std::vector<Target> targets;  ///< in the order of Measurement::targets, with their ledgers
    std::vector<Gap> gaps;

    std::optional<Sampled> sampled;  ///< of kSampled
};

/// A repetition that gave no value.
struct Failure {
    std::size_t workload = 0;
    Mode mode = Mode::kBare;
    unsigned order = 0;
    std::string cause;
    std::string remedy;
};

/// Which kernel a session ran on. Compared as a whole; "unknown" where it cannot be had.
struct KernelIdentity {
    std::string release;
    std::string version;
    std::string build_id;
    /// FNV-1a of the names of the kernel's functions and their places relative to _stext. Not of
    /// their bytes: those differ between boots, by static keys and probes.
    std::string text_layout;

    bool operator==(const KernelIdentity&) const = default;
};

/// What the kernel's text says about a patch of the catalogue.
struct PatchEvidence {
    std::string slug;
    PatchFinding finding;
};

/// What one boot gave. The same boot may have several: they are one unit.
struct MeasuredSession {
    std::string boot_id;           ///< empty: unknown
    std::string started_at;        ///< UTC, ISO 8601
    std::uint64_t started_ns = 0;  ///< CLOCK_MONOTONIC
    std::uint64_t seed = 0;        ///< of the order of repetitions
    std::string kcost_version;
    Machine machine;  ///< at its start, facts of live text included
    KernelIdentity kernel;
    bool emulated = false;  ///< time is not true
    std::vector<PatchEvidence> patches;
    std::string no_evidence;  ///< why `patches` is empty
    std::vector<Repetition> repetitions;
    std::vector<Failure> failures;
    std::vector<Noise> noise;
    std::vector<std::string> warnings;
    /// Why it ended: "all repetitions done", "precision reached", "interrupted", an error's text.
    /// Empty: it was killed, or goes on.
    std::string ended;
    bool whole = false;  ///< it ended by itself, without a failure
};

/// One `kcost confirm` over this file: looks are counted.
struct Look {
    std::string at;  ///< UTC, ISO 8601
    /// What was looked at, here and on the other side (of its sessions): the same look again is not
    /// another one.
    std::uint64_t repetitions = 0;
    std::string other_digest;
    std::string other;  ///< the other side's kernel: its build id
};

/// One side: all sessions are of one kernel and repeat the same workloads.
struct Measurement {
    std::string patch;                 ///< slug; empty: none was named
    std::vector<std::string> targets;  ///< as named, or as the patch says
    std::vector<MeasuredWorkload> workloads;
    std::vector<MeasuredSession> sessions;
    std::vector<Look> looks;
};

}  // namespace kcost::model
