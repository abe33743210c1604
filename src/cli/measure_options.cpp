#include "cli/measure_options.h"

#include <cmath>
#include <cstdlib>

namespace kcost {
namespace {

constexpr double kLongest_s = 1e7;

// CLI11's own check of a range lets nan through.
std::string check_seconds(const std::string& text) {
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    const bool number = !text.empty() && *end == '\0';
    if (number && seconds > 0 && seconds <= kLongest_s) return "";
    return "not a number of seconds above 0: " + text;
}

std::string check_precision(const std::string& text) {
    char* end = nullptr;
    const double percent = std::strtod(text.c_str(), &end);
    const bool whole = end != text.c_str() && (*end == '\0' || std::string_view(end) == "%");
    if (whole && percent > 0 && percent <= 50) return "";
    return "not a precision, such as 1%: " + text;
}

void add_work(CLI::App& app, MeasureWords& words) {
    app.add_option("-w,--workload", words.workloads,
                   "A workload of `kcost bench` to repeat (default: the patch's)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--control", words.controls,
                   "A workload that must not change (default: the patch's)")
        ->take_all()
        ->allow_extra_args(false);
    words.work.add_to(app);
    app.add_option("--ticks", words.ticks, "Ticks of a second that a repetition counts")
        ->check(CLI::Range(1u, 86'400u))
        ->capture_default_str();
    app.add_option("--warm-up", words.warm_up_ticks, "Seconds that a workload runs before them")
        ->check(CLI::Range(0u, 86'400u))
        ->capture_default_str();
}

void add_command(CLI::App& app, MeasureWords& words) {
    app.add_option("--metric-regex", words.regexes,
                   "Of COMMAND's output: its metric by a regular expression, the first group of "
                   "the last match; may be given again (default: its elapsed time)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--metric-json", words.pointers,
                   "The same by a JSON pointer, such as /rate; may be given again")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--unit", words.unit, "What the metric is in, such as requests/s");
    app.add_flag("--lower-is-better", words.lower_is_better,
                 "Of the metric (an elapsed time always is)");
    app.add_option("--operations", words.operations,
                   "How many operations a run of COMMAND does, to tell calls per operation");
    app.add_option("--timeout", words.longest_s,
                   "Seconds after which a COMMAND hangs (default: an hour, then ten times the "
                   "longest and a minute)")
        ->check(check_seconds);
}

void add_extent(CLI::App& app, MeasureWords& words) {
    app.add_option("-n,--repetitions", words.repetitions,
                   "Of each kind, at most (default: 10, with --precision 100)")
        ->check(CLI::Range(1u, 100'000u));
    app.add_option("--precision", words.precision,
                   "Stop when the mean of this boot is known within so much, such as 1%, from 10 "
                   "repetitions on")
        ->check(check_precision);
    app.add_option("--time", words.budget_s, "Seconds to measure at most")->check(check_seconds);
    app.add_option("--seed", words.seed, "Of the random order (default: another each time)");
    app.add_flag("--bare", words.bare_only, "Bare repetitions only: probe and sample nothing");
}

}  // namespace

void MeasureWords::add_to(CLI::App& app) {
    app.add_option("WORDS", words, "SLUG of a patch, and COMMAND behind --")
        ->type_name("[SLUG] [-- COMMAND]");
    app.add_option("-t,--target", targets,
                   "A target of `kcost record` to count; may be given again (default: the "
                   "patch's)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("-o,--output", output,
                   "The file to add this boot to; {kernel} in it becomes the kernel's build id "
                   "(default: SLUG-{kernel}.kcost)")
        ->type_name("FILE");
    add_work(app, *this);
    add_command(app, *this);
    add_extent(app, *this);
    app.add_option("--allow-stops", allow_stops,
                   "How often kprobes may stop all CPUs of a machine of 32 or more")
        ->capture_default_str();
    app.add_option("--patches", patches_folder, "Folder of patches, one folder each")
        ->type_name("DIR");
}

}  // namespace kcost
