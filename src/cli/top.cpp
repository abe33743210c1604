// kcost top: hot paths live, one row each, drawn anew every interval.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "analyse/callers.h"
#include "analyse/interval.h"
#include "analyse/report.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/targets_option.h"
#include "export/table.h"
#include "tui/screen.h"

namespace kcost {
namespace {

constexpr double kLongestDelay_s = 5;  // the probes must see a heartbeat well before ten
constexpr std::size_t kCallersShown = 3;
constexpr std::size_t kCallerDepth = 4;
constexpr unsigned kPipeWidth = 120;

struct TopOptions {
    MeasureOptions measure;
    double delay_s = 1;
    bool batch = false;
    bool callers = false;
    unsigned intervals = 0;  ///< 0: until interrupted
};

std::string render_callers(const model::Report& report) {
    std::string text;
    for (const model::Target& target : report.recording->targets) {
        auto callers = hottest_callers(report, target.name, kCallersShown, kCallerDepth);
        if (callers.empty()) continue;
        text += fmt::format("\n{} is called by\n", escape_for_terminal(target.name));
        for (const Caller& caller : callers) {
            text += fmt::format("  {:>6}  {}\n", format_percent(caller.share),
                                escape_for_terminal(caller.chain));
        }
    }
    return text;
}

Result<std::string> render(const model::Recording& interval, const TopOptions& options,
                           tui::Size size) {
    model::Report report = make_report(interval);
    ExportOptions table;
    table.width = size.columns ? size.columns : kPipeWidth;
    auto text = kExportTable.render(report, table);
    if (text && options.callers) *text += render_callers(report);
    return text;
}

Result<bool> show_interval(probe::Session& session, model::Recording& before,
                           const TopOptions& options) {
    auto beat = session.beat();
    if (!beat) return tl::unexpected(beat.error());
    model::Recording now = session.recording(true);
    session.forget_maxima();
    tui::Size size = options.batch ? tui::Size{} : tui::terminal_size();
    auto text = render(since(now, before), options, size);
    if (!text) return tl::unexpected(text.error());
    before = std::move(now);
    if (size.rows) {
        tui::redraw(*text, size);
        return true;
    }
    *text += "\n";
    return std::fwrite(text->data(), 1, text->size(), stdout) == text->size() &&
           std::fflush(stdout) == 0;
}

Result<int> watch(probe::Session& session, Signals& signals, const TopOptions& options) {
    auto counting = session.start_counting();
    if (!counting) return tl::unexpected(counting.error());
    model::Recording before = session.recording(true);
    auto delay_ns = static_cast<std::uint64_t>(options.delay_s * 1e9);
    for (unsigned shown = 0; options.intervals == 0 || shown < options.intervals; shown++) {
        if (signals.interrupted_within(delay_ns)) break;
        auto went_on = show_interval(session, before, options);
        if (!went_on) return tl::unexpected(went_on.error());
        if (!*went_on) break;  // the reader of the pipe has gone
    }
    return static_cast<int>(ExitCode::kDone);
}

Result<int> top(const TopOptions& options) {
    auto targets = options.measure.parse_targets();
    if (!targets) return tl::unexpected(targets.error());
    auto session_options = options.measure.session_options();
    if (!session_options) return tl::unexpected(session_options.error());
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    session_options->interrupted = [&] { return signals->interrupted_within(0); };
    auto session = probe::Session::attach(*targets, *session_options);
    if (!session) return tl::unexpected(session.error());
    for (const std::string& warning : session->warnings()) log::warn(warning);
    auto code = watch(*session, *signals, options);
    session->stop_counting();
    detach_with_progress(*session);
    return code;
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<TopOptions>();
    options->measure.add_to(app);
    app.add_option("-d,--delay", options->delay_s, "Seconds between two views")
        ->check(CLI::Range(0.1, kLongestDelay_s))
        ->capture_default_str();
    app.add_flag("-b,--batch", options->batch, "Print one table after another");
    app.add_option("-n,--intervals", options->intervals, "Stop after so many (default: never)")
        ->check(CLI::PositiveNumber);
    app.add_flag("-g,--callers", options->callers, "Show the hottest callers too");
    return [options] { return top(*options); };
}

}  // namespace

extern const Command kCommandTop = {"top", "Watch hot paths live", set_up};

}  // namespace kcost
