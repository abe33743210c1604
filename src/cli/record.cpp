// kcost record: measure for a time, or while COMMAND runs, into a file.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/log.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/command_words.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/targets_option.h"
#include "probe/heartbeat.h"
#include "store/recording_file.h"
#include "workload/child.h"

namespace kcost {
namespace {

constexpr std::uint64_t kBeat_ns = 1'000'000'000;
constexpr unsigned kBeatsPerCheckpoint = 10;

struct RecordOptions {
    MeasureOptions measure;
    std::string output = "recording.kcost";
    double seconds = 0;
    std::vector<std::string> command;
};

// CLI11's own check of a range lets nan through.
std::string check_seconds(const std::string& text) {
    constexpr double kLongest_s = 1e9;
    char* end = nullptr;
    double seconds = std::strtod(text.c_str(), &end);
    bool number = !text.empty() && *end == '\0';
    if (number && seconds > 0 && seconds <= kLongest_s) return "";
    return "not a number of seconds above 0: " + text;
}

// So that somebody at a terminal knows when to start what is to be seen.
std::string tell_counting(const RecordOptions& options) {
    if (!options.command.empty()) return "counting while " + options.command.front() + " runs";
    if (options.seconds <= 0) return "counting until interrupted";
    return fmt::format("counting for {} s", options.seconds);
}

enum class End { kTime, kCommand, kSignal };

class Recorder {
public:
    Recorder(const RecordOptions& options, probe::Session& session, Signals& signals,
             workload::Child* child)
        : options_(options), session_(session), signals_(signals), child_(child) {}

    Result<End> run() {
        auto counting = session_.start_counting();
        if (!counting) return tl::unexpected(counting.error());
        log::info(tell_counting(options_));
        if (child_) {
            auto released = child_->release();
            if (!released) return tl::unexpected(released.error());
        }
        started_ns_ = probe::monotonic_ns();
        std::uint64_t next_beat_ns = started_ns_ + kBeat_ns;
        for (unsigned beats = 0;;) {
            auto ended = wait_until(std::min(next_beat_ns, end_ns()));
            if (ended) return *ended;
            if (probe::monotonic_ns() < next_beat_ns) continue;
            next_beat_ns = probe::monotonic_ns() + kBeat_ns;
            auto beat = session_.beat();
            if (!beat) return tl::unexpected(beat.error());
            if (++beats % kBeatsPerCheckpoint == 0) checkpoint();
        }
    }

    std::optional<int> command_status() const { return status_; }

private:
    std::uint64_t end_ns() const {
        if (options_.seconds <= 0) return UINT64_MAX;
        return started_ns_ + static_cast<std::uint64_t>(options_.seconds * 1e9);
    }

    std::optional<End> wait_until(std::uint64_t until_ns) {
        std::uint64_t now = probe::monotonic_ns();
        auto event = signals_.wait(until_ns > now ? until_ns - now : 0);
        if (event == Signals::Event::kInterrupt) return End::kSignal;
        if (child_ && (status_ = child_->poll())) return End::kCommand;
        if (probe::monotonic_ns() >= end_ns()) return End::kTime;
        return std::nullopt;
    }

    void checkpoint() {
        auto saved = save_recording(session_.recording(true), options_.output);
        if (!saved) log::warn(saved.error().what);
    }

    const RecordOptions& options_;
    probe::Session& session_;
    Signals& signals_;
    workload::Child* child_;
    std::uint64_t started_ns_ = 0;
    std::optional<int> status_;
};

// CLI11 does not keep each word of a COMMAND as it is.
Result<void> take_command(RecordOptions& options) {
    auto line = own_command_line();
    if (!line) return tl::unexpected(line.error());
    Words words = part_words(options.command, *line);
    options.command = std::move(words.before);
    options.command.insert(options.command.end(), words.command.begin(), words.command.end());
    return {};
}

Result<int> record(RecordOptions& options) {
    auto taken = take_command(options);
    if (!taken) return tl::unexpected(taken.error());
    auto targets = options.measure.parse_targets();
    if (!targets) return tl::unexpected(targets.error());
    auto session_options = options.measure.session_options();
    if (!session_options) return tl::unexpected(session_options.error());
    auto writable = check_output(options.output);
    if (!writable) return tl::unexpected(writable.error());
    for (const std::string& word : options.command) {
        session_options->command_line += (session_options->command_line.empty() ? "" : " ") + word;
    }
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    std::optional<workload::Child> child;
    if (!options.command.empty()) {
        auto started = workload::Child::start_held(options.command);
        if (!started) return tl::unexpected(started.error());
        child.emplace(std::move(*started));
    }
    session_options->interrupted = [&] { return signals->interrupted_within(0); };
    auto session = probe::Session::attach(*targets, *session_options);
    if (!session) return tl::unexpected(session.error());
    for (const std::string& warning : session->warnings()) log::warn(warning);

    Recorder recorder(options, *session, *signals, child ? &*child : nullptr);
    auto end = recorder.run();
    session->stop_counting();
    if (!end) return tl::unexpected(end.error());
    if (*end != End::kCommand && child) {
        log::info(options.command.front() + " is asked to end, with SIGTERM");
        child->terminate();
    }
    model::Recording recording = session->recording(true);
    auto saved = save_recording(recording, options.output);
    if (!saved) return tl::unexpected(saved.error());
    log::info("wrote " + options.output + ": kcost report " + options.output + " shows it");
    if (auto status = recorder.command_status(); status && *status != 0) {
        log::warn(fmt::format("{} ended with status {}", options.command.front(), *status));
    }
    detach_with_progress(*session);
    // Without an end of its own, an interrupt is how a recording ends.
    bool cut_short = *end == End::kSignal && (options.seconds > 0 || child);
    return static_cast<int>(cut_short ? ExitCode::kInterrupted : ExitCode::kDone);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<RecordOptions>();
    options->measure.add_to(app);
    app.add_option("-o,--output", options->output, "The recording's file")->capture_default_str();
    app.add_option("-d,--duration", options->seconds, "Seconds to measure (default: until Ctrl-C)")
        ->check(check_seconds);
    app.add_option("COMMAND", options->command, "Measure while this runs; write -- before it");
    app.positionals_at_end();
    return [options] { return record(*options); };
}

}  // namespace

extern const Command kCommandRecord = {"record", "Measure hot paths into a file", set_up};

}  // namespace kcost
