// What the catalogue knows of a patch: passive data, read from patches/SLUG/patch.toml. How it is
// found in a kernel is the signature's, in patch/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kcost::model {

struct Commit {
    std::string id;  ///< empty: there is none
    std::string subject;
    std::string version;  ///< the first release with it: "6.13"
};

/// A figure as it was printed: "298.62 ± 1.86" keeps its decimals.
struct Printed {
    double value = 0;
    unsigned decimals = 0;
    std::optional<double> spread;
    std::string text;
};

struct PublishedFigure {
    std::string name;               ///< the benchmark: "uprobe-push"
    std::optional<Printed> before;  ///< none: only the change was published
    std::optional<Printed> after;
    std::string change;                     ///< as printed: "+40.6%"; may be empty
    std::optional<double> relative_change;  ///< the same: 0.406
    std::optional<Printed> baseline;        ///< without what the patch makes cheaper
    std::string unit;                       ///< "M/s", "s", "%"
    bool higher_is_better = true;
    bool control = false;  ///< the patch must not change it
};

/// Figures of one publication.
struct Publication {
    std::string machine;
    std::string source;
    std::string spread;         ///< "sd": of a sample, "se": a standard error, "none": not told
    std::optional<unsigned> n;  ///< repetitions; none: not told
    std::vector<PublishedFigure> figures;
};

/// Where a patch matters less or more: all facts of the machine have these values.
struct Circumstance {
    std::vector<std::pair<std::string, std::string>> when;  ///< "cpu.idc", "yes"
    std::string because;
};

/// What else changes a workload between kernels, so that its change is not the patch's alone.
struct OtherCause {
    std::string workload;
    std::string because;
};

/// What shows the patch's effect.
struct PatchWorkload {
    std::string name;
    std::vector<std::string> controls;  ///< variants that the patch must not change
    std::string operation;              ///< what is counted: "hit of the probe"
    std::string note;
    std::vector<OtherCause> other_causes;  ///< between kernels that differ in more than the patch
};

enum class EffectOf {
    kCalls,         ///< of the target per operation
    kTime,          ///< of a call of the target
    kInstructions,  ///< of the kernel per operation, nothing attached
};

/// "calls", "time", "instructions".
const char* to_string(EffectOf of);

/// What a measurement must show of the hot path.
struct ExpectedEffect {
    std::string name;                    ///< "flushes of the slot"
    std::string target;                  ///< one of the hot paths; empty of kInstructions
    std::optional<std::uint64_t> value;  ///< only this value of its split
    std::string caller;                  ///< only with this direct caller; empty: any
    std::vector<std::string> in;         ///< only at sites in these functions; empty: all
    EffectOf of = EffectOf::kCalls;
    bool falls = true;  ///< else it rises
};

struct Patch {
    std::string slug;  ///< the folder's name
    std::string title;
    std::string summary;
    std::string author;
    std::string posted;     ///< "2024-09"
    std::string reference;  ///< where it was sent: a URL, or list and subject
    Commit upstream;
    Commit superseded_by;
    std::vector<std::string> hot_paths;
    PatchWorkload workload;
    std::string mechanism;  ///< what must change in the hot path
    std::vector<ExpectedEffect> effects;
    std::string benefit;  ///< what the workload must gain
    std::vector<Publication> published;
    std::vector<Circumstance> moot;
    std::vector<Circumstance> worth_more;
};

}  // namespace kcost::model
