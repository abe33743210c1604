// kcost measure: one side of a comparison, boot by boot, into a file.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>

#include "analyse/schedule.h"
#include "analyse/summarise.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/busy_machine.h"
#include "cli/command.h"
#include "cli/measure_options.h"
#include "cli/output_file.h"
#include "export/boot_plan_text.h"
#include "export/measured_text.h"
#include "kernel/capability.h"
#include "kernel/facts.h"
#include "store/saved_file.h"

namespace kcost {
namespace {

constexpr unsigned kBootsAside = 5;
constexpr const char* kUnitFile = "/etc/systemd/system/kcost-measure.service";

struct Options {
    MeasureWords words;
    unsigned boots = 0;
    bool plan = false;
    bool yes = false;
    std::string unit_file;
    bool install_unit = false;
};

// This command line without what is for the planning itself and without the file.
Result<std::vector<std::string>> repeated_command_line() {
    auto line = own_command_line();
    if (!line) return line;
    const std::set<std::string> flags = {"--plan", "--install-unit", "-y", "--yes"};
    const std::set<std::string> valued = {"-o", "--output", "--unit-file", "--boots", "--seed"};
    std::vector<std::string> words = {"kcost"};
    bool options = true;
    for (std::size_t i = 1; i < line->size(); i++) {
        const std::string& word = (*line)[i];
        options = options && word != "--";
        const std::string name = word.substr(0, word.find('='));
        if (options && flags.contains(word)) continue;
        const bool output = word.starts_with("-o") && word.size() > 2;  // -oFILE, -o=FILE
        if (options && output) continue;
        if (options && valued.contains(name)) {
            if (name == word) i++;
            continue;
        }
        words.push_back(word);
    }
    return words;
}

// What stands behind `--` must stay behind all options.
void insert_options(std::vector<std::string>& words, const std::vector<std::string>& options) {
    words.insert(std::find(words.begin(), words.end(), "--"), options.begin(), options.end());
}

Result<int> print_plan(const Options& options) {
    auto words = repeated_command_line();
    if (!words) return tl::unexpected(words.error());
    const std::uint64_t seed = options.words.seed ? *options.words.seed : std::random_device()();
    std::vector<bool> after;
    for (Side side : boot_order(options.boots ? options.boots : kBootsAside, seed))
        after.push_back(side == Side::kAfter);
    fmt::print("{}", render_boot_plan(after, seed, *words));
    return static_cast<int>(ExitCode::kDone);
}

// Whole or not at all: systemd reads what lies there.
Result<void> write_unit(const std::string& path, const std::string& text) {
    if (::access(path.c_str(), F_OK) == 0)
        return fail("cannot write " + path + ": it is there already", "remove it first");
    auto written = replace_saved_file(path, text);
    if (!written)
        return fail(written.error().what, "sudo, or --unit-file FILE and copy it",
                    written.error().code);
    ::chmod(path.c_str(), 0644);
    return {};
}

// The command runs from / and at each boot, so that it needs full paths, and an end.
Result<int> install_unit(const Options& options, const MeasureSubject& subject) {
    namespace fs = std::filesystem;
    auto words = repeated_command_line();
    if (!words) return tl::unexpected(words.error());
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return fail("cannot read /proc/self/exe: " + error.message());
    words->front() = program.string();
    // What would be wrong at each boot is told now.
    auto plan = make_measure_plan(options.words, subject);
    if (!plan) return tl::unexpected(plan.error());
    // Not with this kernel's build id: it is for all that will be booted.
    const std::string file = output_name(options.words, subject);
    insert_options(*words,
                   {"--yes", "--boots", std::to_string(options.boots ? options.boots : kBootsAside),
                    "-o", fs::absolute(file).string()});
    const std::string path = options.unit_file.empty() ? kUnitFile : options.unit_file;
    auto written = write_unit(path, render_systemd_unit(*words, fs::current_path().string()));
    if (!written) return tl::unexpected(written.error());
    log::info("wrote " + path + ": systemctl enable kcost-measure lets it run at each boot");
    return static_cast<int>(ExitCode::kDone);
}

// A unit that runs at each boot: whether this one is wanted.
bool is_wanted(const MeasurePlan& plan, unsigned boots) {
    if (boots == 0) return true;
    std::set<std::string> whole;
    for (const model::MeasuredSession& session : plan.measurement.sessions) {
        if (session.whole) whole.insert(session.boot_id);
    }
    const std::string boot_id = kernel::read_fact({}, "/proc/sys/kernel/random/boot_id");
    if (whole.size() < boots && !whole.contains(boot_id)) return true;
    log::info(fmt::format("{} has {} of {} boots{}: nothing to do", plan.file, whole.size(), boots,
                          whole.contains(boot_id) ? ", this one too" : ""));
    return false;
}

// Found out before the first repetition.
Result<void> check_rights(const MeasurePlan& plan) {
    const bool bare = plan.targets.empty() &&
                      std::all_of(plan.works.begin(), plan.works.end(), [](const Work& work) {
                          return work.own == nullptr || work.own->probes.empty();
                      });
    return bare ? Result<void>() : kernel::require_tracing_rights({});
}

void print_result(const Options& options, const MeasurePlan& plan) {
    fmt::print("{}", render_measured_text(summarise(plan.measurement)));
    if (options.words.aa) fmt::print("{}", render_spreads_text(spreads_of(plan.measurement)));
    std::fflush(stdout);
}

Result<int> run(const Options& options, const MeasureSubject& subject) {
    auto plan = make_measure_plan(options.words, subject);
    if (!plan) return tl::unexpected(plan.error());
    auto writable = check_output(plan->file);
    if (!writable) return tl::unexpected(writable.error());
    if (!is_wanted(*plan, options.boots)) return static_cast<int>(ExitCode::kDone);
    auto rights = check_rights(*plan);
    if (!rights) return tl::unexpected(rights.error());
    auto quiet = check_load(options.yes);
    if (!quiet) return tl::unexpected(quiet.error());
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    const std::size_t sessions = plan->measurement.sessions.size();
    auto measured = run_session(*plan, *signals);
    if (plan->measurement.sessions.size() > sessions) print_result(options, *plan);
    if (!measured) return tl::unexpected(measured.error());
    log::info("wrote " + plan->file);
    return static_cast<int>(ExitCode::kDone);
}

Result<int> measure(const Options& options) {
    auto subject = choose_subject(options.words);
    if (!subject) return tl::unexpected(subject.error());
    if (options.install_unit) return install_unit(options, *subject);
    if (options.plan) return print_plan(options);
    return run(options, *subject);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<Options>();
    options->words.add_to(app);
    app.add_flag("--aa", options->words.aa,
                 "One kernel over several boots, bare: tell what this machine can resolve");
    CLI::Option* plan = app.add_flag("--plan", options->plan, "Print a schedule of boots only");
    app.add_option("--boots", options->boots,
                   "Boots a side: of the plan (default: 5), and else when FILE has so many, or "
                   "this one, there is nothing to do")
        ->check(CLI::Range(1u, 1000u));
    CLI::Option* install = app.add_flag(
        "--install-unit", options->install_unit,
        "Write a oneshot unit of systemd that measures at each boot, and measure nothing now");
    app.add_option("--unit-file", options->unit_file,
                   std::string("Where that is written (default: ") + kUnitFile + ")")
        ->needs(install)
        ->type_name("FILE");
    plan->excludes(install);
    app.add_flag("-y,--yes", options->yes, "Measure on a busy machine all the same");
    return [options] { return measure(*options); };
}

}  // namespace

extern const Command kCommandMeasure = {
    "measure", "Measure a workload and hot paths for `kcost confirm`", set_up};

}  // namespace kcost
