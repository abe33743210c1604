// What `kcost measure` is asked for, and what comes of that: the plan of its session.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_words.h"
#include "cli/measure_session.h"
#include "cli/work_options.h"

namespace kcost {

struct MeasureWords {
    std::vector<std::string> words;
    std::vector<std::string> targets;
    std::vector<std::string> workloads;
    std::vector<std::string> controls;
    std::string output;
    WorkOptions work;
    unsigned ticks = 5;
    unsigned warm_up_ticks = 2;
    std::vector<std::string> regexes;
    std::vector<std::string> pointers;
    std::string unit;
    bool lower_is_better = false;
    std::uint64_t operations = 0;
    std::optional<unsigned> repetitions;
    std::string precision;
    double budget_s = 0;
    double longest_s = 0;
    std::optional<std::uint64_t> seed;
    unsigned allow_stops = 16;
    std::string patches_folder;
    bool bare_only = false;
    bool aa = false;

    void add_to(CLI::App& app);
    /// One of each kind of repetition a block: more where precision is to end it.
    unsigned blocks() const { return repetitions.value_or(precision.empty() ? 10 : 100); }
};

/// What is measured, without a look at the machine.
struct MeasureSubject {
    std::string patch;  ///< slug, or empty
    std::vector<model::HotPath> targets;
    std::vector<std::string> workloads;  ///< of kcost's own
    std::vector<std::string> controls;   ///< likewise
    std::vector<std::string> command;
};

/// Errors (kUsage): no such patch, target or workload; nothing or several things to repeat.
Result<MeasureSubject> choose_subject(const MeasureWords& words);

/// Reads the file that is added to, if there is one. Errors: it holds something else, or a workload
/// cannot be run so here.
Result<MeasurePlan> make_measure_plan(const MeasureWords& words, const MeasureSubject& subject);

/// "-o FILE", or a name of the subject; {kernel} in it is not replaced yet.
std::string output_name(const MeasureWords& words, const MeasureSubject& subject);

/// The same with {kernel} replaced.
std::string output_file(const MeasureWords& words, const MeasureSubject& subject);

}  // namespace kcost
