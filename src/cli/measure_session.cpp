#include "cli/measure_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "analyse/looks.h"
#include "analyse/schedule.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/session_facts.h"
#include "export/measured_text.h"
#include "kernel/cpus.h"
#include "probe/heartbeat.h"
#include "store/measurement_file.h"

namespace kcost {
namespace {

constexpr std::uint64_t kSecond_ns = 1'000'000'000;
// A command's first run; later ones may take ten times the longest before.
constexpr std::uint64_t kLongestFirst_ns = 3600 * kSecond_ns;
constexpr std::uint64_t kLongestMore_ns = 60 * kSecond_ns;

using Kind = std::pair<std::size_t, model::Mode>;  // of repetitions that take about as long

class SessionRun {
public:
    SessionRun(MeasurePlan& plan, Signals& signals)
        : plan_(plan), signals_(signals), began_ns_(probe::monotonic_ns()) {
        all_ = plan.blocks * plan.works.size() * plan.modes.size();
    }

    Result<void> run() {
        auto begun = begin();
        if (!begun) return begun;
        for (unsigned block = 0; block < plan_.blocks; block++) {
            for (const Step& step :
                 make_block(block, plan_.works.size(), plan_.modes, plan_.seed)) {
                if (!has_time_for(step)) return end("the time was used", true);
                auto done = repeat(step);
                if (!done) return done;
            }
            if (is_precise()) return end("precise enough", true);
        }
        return end("all repetitions done", true);
    }

private:
    model::MeasuredSession& session() { return plan_.measurement.sessions.back(); }

    Result<void> begin() {
        auto online = kernel::online_cpus({});
        if (!online) return tl::unexpected(online.error());
        cpus_ = *online;
        session().started_ns = began_ns_;
        return save();
    }

    Result<void> repeat(const Step& step) {
        const Work& work = plan_.works[step.workload];
        auto repetition = run_repetition(
            {work, step.mode, plan_.targets, plan_.allow_stops, longest_of_command(step), cpus_},
            signals_);
        if (!repetition) return stop(step, repetition.error());
        repetition->workload = step.workload;
        repetition->block = step.block;
        repetition->order = done_++;
        auto& longest = longest_ns_[{step.workload, step.mode}];
        longest = std::max(longest, repetition->took_ns);
        session().repetitions.push_back(std::move(*repetition));
        auto saved = save();
        if (!saved) return saved;
        tell();
        return {};
    }

    // An interrupt is no failure of the repetition that it ended.
    Result<void> stop(const Step& step, const Error& error) {
        const bool interrupted = error.code == ExitCode::kInterrupted;
        const std::string cause = interrupted ? "interrupted" : error.what;
        if (!interrupted)
            session().failures.push_back({step.workload, step.mode, done_, error.what, error.hint});
        auto saved = end(cause, false);
        if (!saved) log::warn(saved.error().what);
        const std::string where = interrupted
                                      ? ""
                                      : fmt::format("repetition {} ({}) failed: ", done_ + 1,
                                                    describe(step.workload, step.mode));
        return fail(fmt::format("{}{}; {} finished repetitions are in {}", where, cause,
                                session().repetitions.size(), plan_.file),
                    error.hint, error.code);
    }

    Result<void> end(const std::string& why, bool whole) {
        session().ended = why;
        session().whole = whole;
        return save();
    }

    Result<void> save() {
        auto saved = save_measurement(plan_.measurement, plan_.file);
        if (saved) {
            saved_ = session().repetitions.size();
            return saved;
        }
        const std::string kept =
            saved_ ? fmt::format("; the {} repetitions before are in it", saved_) : "";
        return fail(saved.error().what + kept, saved.error().hint, saved.error().code);
    }

    std::uint64_t longest_of_command(const Step& step) const {
        if (plan_.longest_ns) return plan_.longest_ns;
        const auto before = longest_ns_.find({step.workload, step.mode});
        return before == longest_ns_.end() ? kLongestFirst_ns
                                           : 10 * before->second + kLongestMore_ns;
    }

    std::uint64_t elapsed_ns() const { return probe::monotonic_ns() - began_ns_; }

    // The first of its kind is always run: nobody knows how long it takes.
    bool has_time_for(const Step& step) const {
        const auto longest = longest_ns_.find({step.workload, step.mode});
        if (plan_.budget_ns == 0 || longest == longest_ns_.end()) return true;
        return elapsed_ns() + longest->second <= plan_.budget_ns;
    }

    // By the width of what the patch may change, never by where it lies.
    bool is_precise() const {
        if (plan_.precision <= 0) return false;
        const model::Measurement& all = plan_.measurement;
        for (std::size_t i = 0; i < all.workloads.size(); i++) {
            const std::size_t metrics =
                all.workloads[i].control ? 0 : all.workloads[i].metrics.size();
            for (std::size_t metric = 0; metric < metrics; metric++) {
                if (!precise_enough(bare_values(i, metric), plan_.precision)) return false;
            }
        }
        return true;
    }

    std::vector<double> bare_values(std::size_t workload, std::size_t metric) const {
        std::vector<double> values;
        for (const model::Repetition& it : plan_.measurement.sessions.back().repetitions) {
            if (it.workload == workload && it.mode == model::Mode::kBare)
                values.push_back(it.values.at(metric));
        }
        return values;
    }

    std::string describe(std::size_t workload, model::Mode mode) const {
        return plan_.measurement.workloads[workload].name + ", " + to_string(mode);
    }

    std::string time_left() const {
        const std::uint64_t elapsed = elapsed_ns();
        std::uint64_t left_ns = elapsed / done_ * (all_ - done_);
        if (plan_.budget_ns)
            left_ns = std::min(left_ns, plan_.budget_ns - std::min(elapsed, plan_.budget_ns));
        const std::uint64_t left_s = left_ns / kSecond_ns;
        return left_s < 120 ? fmt::format("{} s", left_s) : fmt::format("{} min", left_s / 60);
    }

    void tell() {
        const model::Repetition& last = session().repetitions.back();
        const auto& metrics = plan_.measurement.workloads[last.workload].metrics;
        std::string values;
        for (std::size_t i = 0; i < metrics.size(); i++) {
            values += fmt::format("{}{} {}", i ? ", " : "", format_figure(last.values[i]),
                                  metrics[i].unit);
        }
        log::info(fmt::format("{} of {} ({}): {}; about {} left", done_, all_,
                              describe(last.workload, last.mode), escape_for_terminal(values),
                              time_left()));
        for (const model::Noise& noise : last.noise) log::warn(noise.says);
    }

    MeasurePlan& plan_;
    Signals& signals_;
    std::uint64_t began_ns_;
    std::size_t all_ = 0;
    unsigned done_ = 0;
    std::size_t saved_ = 0;
    std::vector<unsigned> cpus_;
    std::map<Kind, std::uint64_t> longest_ns_;
};

}  // namespace

Result<void> run_session(MeasurePlan& plan, Signals& signals) {
    model::MeasuredSession session = read_session_facts(plan.patches_folder);
    session.seed = plan.seed;
    auto fits = check_same_kernel(plan.measurement, session, plan.file);
    if (!fits) return fits;
    plan.measurement.sessions.push_back(std::move(session));
    return SessionRun(plan, signals).run();
}

}  // namespace kcost
