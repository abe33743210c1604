#include "cli/repetition.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <optional>

#include "cli/run_workload.h"
#include "kernel/noise_watch.h"
#include "probe/heartbeat.h"
#include "probe/instruction_counter.h"
#include "probe/sampler.h"
#include "probe/session.h"
#include "workload/command.h"

namespace kcost {
namespace {

using model::Mode;

std::uint64_t time_of(int who) {
    rusage usage{};
    ::getrusage(who, &usage);
    const auto us = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
               static_cast<std::uint64_t>(time.tv_usec);
    };
    return 1000 * (us(usage.ru_utime) + us(usage.ru_stime));
}

// Of kcost and of what it ran and waited for.
std::uint64_t own_cpu_time_ns() { return time_of(RUSAGE_SELF) + time_of(RUSAGE_CHILDREN); }

// What looks on while the workload runs.
class Observer {
public:
    Observer(const RepetitionRequest& request, Signals& signals)
        : request_(request), signals_(signals), noise_({}, request.cpus) {}

    workload::Hooks hooks() {
        workload::Hooks hooks;
        hooks.held = [this] { return attach(); };
        hooks.warmed_up = [this] { return begin_ticks(); };
        hooks.ticked = [this] { return look(); };
        hooks.counted = [this] { return stop_sampling(); };
        hooks.ended = [this] { return stop(); };
        hooks.second = [this] { return second(); };
        return hooks;
    }

    /// What its CPUs ran in the kernel during the ticks.
    std::optional<std::uint64_t> instructions(const std::vector<unsigned>& cpus) const {
        return instructions_ ? instructions_->of(cpus) : std::nullopt;
    }

    /// After the run: what was seen of it.
    void finish(model::Repetition& repetition) {
        if (session_) {
            model::Recording recording = session_->recording(true);
            repetition.window_ns = recording.window_ns;
            repetition.targets = std::move(recording.targets);
            repetition.gaps = std::move(recording.gaps);
        }
        repetition.sampled = std::move(sampled_);
        repetition.noise = noise_.end(own_cpu_time_ns() - own_before_ns_);
    }

private:
    Result<void> attach() {
        if (request_.mode == Mode::kProbed) return attach_probes();
        if (request_.mode == Mode::kBare) return {};
        auto sampler = probe::Sampler::open(request_.targets);
        if (!sampler) return tl::unexpected(sampler.error());
        sampler_.emplace(std::move(*sampler));
        // A workload of kcost's own tells when its set-up is over.
        if (!request_.work.own) sampler_->start();
        return {};
    }

    Result<void> begin_ticks() {
        if (sampler_) sampler_->start();
        return count_instructions();
    }

    Result<void> stop_sampling() {
        if (sampler_ && !sampled_) sampled_ = sampler_->stop();
        return {};
    }

    // Before a probe of its own is detached.
    Result<void> stop() {
        if (session_) session_->stop_counting();
        return stop_sampling();
    }

    // Payers are not taken: a measurement asks how often and how long, not who.
    Result<void> attach_probes() {
        probe::SessionOptions options;
        options.payers_one_in = 0;
        options.allow_stops = request_.allow_stops;
        options.interrupted = [this] { return signals_.wait(0) == Signals::Event::kInterrupt; };
        auto session = probe::Session::attach(request_.targets, options);
        if (!session) return tl::unexpected(session.error());
        session_.emplace(std::move(*session));
        return session_->start_counting();
    }

    // A counter that runs along costs the workload nothing; probes and samples would be in it.
    Result<void> count_instructions() {
        if (request_.mode != Mode::kBare) return {};
        instructions_.emplace(request_.cpus);
        instructions_->begin();
        return {};
    }

    Result<void> look() {
        if (instructions_) instructions_->look();
        return {};
    }

    Result<void> second() {
        noise_.second();
        if (sampler_ && !sampled_) sampler_->drain();
        return session_ ? session_->beat() : Result<void>();
    }

    const RepetitionRequest& request_;
    Signals& signals_;
    std::uint64_t own_before_ns_ = own_cpu_time_ns();
    kernel::NoiseWatch noise_;
    std::optional<probe::Session> session_;
    std::optional<probe::Sampler> sampler_;
    std::optional<model::Sampled> sampled_;
    std::optional<probe::InstructionCounter> instructions_;
};

// All work over all time, as the arithmetic mean of ticks of the same length would be.
Result<double> work_rate(const model::Ticks& ticks) {
    const std::uint64_t units = model::units_of(ticks.ticks);
    std::uint64_t elapsed_ns = 0;
    for (const model::Tick& tick : ticks.ticks) elapsed_ns += tick.elapsed_ns;
    if (units > 0 && elapsed_ns > 0)
        return static_cast<double>(units) * 1e9 / static_cast<double>(elapsed_ns);
    return fail(fmt::format("{} did nothing in {} ticks", ticks.workload, ticks.ticks.size()));
}

Result<void> run_own(const Work& work, Observer& observer, Signals& signals,
                     model::Repetition& repetition) {
    auto ticks = run_workload(*work.own, work.options, signals, observer.hooks());
    if (!ticks) return tl::unexpected(ticks.error());
    if (ticks->interrupted || ticks->ticks.size() < ticks->asked_ticks)
        return fail("interrupted", "", ExitCode::kInterrupted);
    auto rate = work_rate(*ticks);
    if (!rate) return tl::unexpected(rate.error());
    repetition.values = {*rate};
    // From its first unit to its last, as targets are counted.
    repetition.operations = ticks->proof.units;
    repetition.kernel_instructions = observer.instructions(ticks->cpus);
    repetition.ticks = std::move(ticks->ticks);
    repetition.proof = std::move(ticks->proof);
    repetition.notes = std::move(ticks->notes);
    return {};
}

Result<void> run_command(const RepetitionRequest& request, Observer& observer, Signals& signals,
                         model::Repetition& repetition) {
    const Work& work = request.work;
    auto run = workload::run_command(work.command, request.longest_ns, signals, observer.hooks());
    if (!run) return tl::unexpected(run.error());
    for (const workload::MetricSource& source : work.metrics) {
        auto value = workload::read_metric(source, run->output, run->elapsed_ns);
        if (!value) {
            return fail(work.command.front() + ": " + value.error().what,
                        "look at what it prints, and at --metric-regex or --metric-json");
        }
        repetition.values.push_back(*value);
    }
    repetition.operations = work.operations;
    return {};
}

}  // namespace

Result<model::Repetition> run_repetition(const RepetitionRequest& request, Signals& signals) {
    model::Repetition repetition;
    repetition.mode = request.mode;
    repetition.began_ns = probe::monotonic_ns();
    Observer observer(request, signals);
    auto ran = request.work.own ? run_own(request.work, observer, signals, repetition)
                                : run_command(request, observer, signals, repetition);
    if (!ran) return tl::unexpected(ran.error());
    observer.finish(repetition);
    if (request.mode == Mode::kBare) repetition.operations = 0;
    repetition.took_ns = probe::monotonic_ns() - repetition.began_ns;
    return repetition;
}

}  // namespace kcost
