#include "analyse/confirm_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyse/boots.h"
#include "analyse/drift.h"
#include "analyse/measured_boots.h"

namespace kcost {
namespace {

using model::Measurement;
using model::Mode;
using model::Repetition;

std::size_t count_of(const Measurement& side, Mode mode) {
    std::size_t count = 0;
    for (const model::MeasuredSession& session : side.sessions)
        count += static_cast<std::size_t>(
            std::count_if(session.repetitions.begin(), session.repetitions.end(),
                          [&](const Repetition& it) { return it.mode == mode; }));
    return count;
}

// Those that a benefit is read from. Sessions whose boot is not known count as one.
std::size_t boots_of(const Measurement& side) {
    std::vector<std::string> ids;
    for (const model::MeasuredSession& session : side.sessions) {
        const auto& all = session.repetitions;
        const bool bare = std::any_of(all.begin(), all.end(),
                                      [](const Repetition& it) { return it.mode == Mode::kBare; });
        if (bare) ids.push_back(session.boot_id);
    }
    std::sort(ids.begin(), ids.end());
    return static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

// "cycles"; what sampled repetitions counted, each once.
std::string events_of(const Measurement& side) {
    std::set<std::string> events;
    for (const model::MeasuredSession& session : side.sessions)
        for (const Repetition& it : session.repetitions)
            if (it.sampled) events.insert(it.sampled->event);
    return fmt::format("{}", fmt::join(events, " and "));
}

bool is_masked_late(const Measurement& side) {
    for (const model::MeasuredSession& session : side.sessions)
        for (const Repetition& it : session.repetitions)
            if (it.sampled && it.sampled->masked_is_late) return true;
    return false;
}

std::string name_of(const Measurement& side, std::size_t workload) {
    return workload < side.workloads.size() ? side.workloads[workload].name : "a workload";
}

void add_sessions(const Measurement& side, std::vector<std::string>& notes) {
    for (const model::MeasuredSession& session : side.sessions) {
        for (const model::Failure& failure : session.failures)
            notes.push_back(fmt::format("{}, {}, repetition {} failed: {}",
                                        name_of(side, failure.workload), to_string(failure.mode),
                                        failure.order + 1, failure.cause));
        if (!session.whole)
            notes.push_back(
                fmt::format("the session of {} is not whole: {}", session.started_at,
                            session.ended.empty() ? "it was killed, or goes on" : session.ended));
        for (const std::string& warning : session.warnings) notes.push_back(warning);
    }
}

// Each kind once, with how often and one that says what it was.
void add_noise(const Measurement& side, std::vector<std::string>& notes) {
    std::map<std::string, std::vector<const model::Noise*>> kinds;
    for (const model::MeasuredSession& session : side.sessions) {
        for (const model::Noise& it : session.noise) kinds[it.kind].push_back(&it);
        for (const Repetition& repetition : session.repetitions)
            for (const model::Noise& it : repetition.noise) kinds[it.kind].push_back(&it);
    }
    for (const auto& [kind, all] : kinds) {
        const auto* most =
            *std::max_element(all.begin(), all.end(),
                              [](const auto* a, const auto* b) { return a->amount < b->amount; });
        notes.push_back(fmt::format("noise, {}, {} time{}: {}", kind, all.size(),
                                    all.size() == 1 ? "" : "s", most->says));
    }
}

std::vector<double> first_values(const Measurement& side, std::size_t workload, Mode mode) {
    std::vector<double> values;
    for (const RepetitionView& it : repetitions_of(side, workload, mode))
        if (!it.repetition->values.empty()) values.push_back(it.repetition->values.front());
    return values;
}

void add_overhead(const Measurement& side, std::vector<std::string>& notes) {
    for (std::size_t i = 0; i < side.workloads.size(); ++i) {
        const auto& metrics = side.workloads[i].metrics;
        const double bare = mean_of(first_values(side, i, Mode::kBare));
        const double probed = mean_of(first_values(side, i, Mode::kProbed));
        if (metrics.empty() || bare <= 0 || probed <= 0) continue;
        notes.push_back(fmt::format(
            "probing changed {} of {} by {:+.1f}%; no benefit is read from probed repetitions",
            metrics.front().name, side.workloads[i].name, 100 * (probed / bare - 1)));
    }
}

struct Series {
    std::string name;
    std::string started_at;
    std::vector<TimedValue> values;
};

std::vector<Series> series_of(const Measurement& side) {
    std::vector<Series> all;
    for (const model::MeasuredSession& session : side.sessions) {
        for (std::size_t i = 0; i < side.workloads.size(); ++i) {
            Series series{side.workloads[i].name, session.started_at, {}};
            for (const Repetition& it : session.repetitions) {
                if (it.workload != i || it.mode != Mode::kBare || it.values.empty()) continue;
                series.values.push_back(
                    {static_cast<double>(it.began_ns) / 1e9, it.values.front()});
            }
            all.push_back(std::move(series));
        }
    }
    return all;
}

}  // namespace

model::ConfirmedSide sum_up(const Measurement& side) {
    model::ConfirmedSide sum;
    if (!side.sessions.empty()) {
        sum.release = side.sessions.front().kernel.release;
        sum.build_id = side.sessions.front().kernel.build_id;
    }
    sum.boots = boots_of(side);
    sum.bare = count_of(side, Mode::kBare);
    sum.probed = count_of(side, Mode::kProbed);
    sum.sampled = count_of(side, Mode::kSampled);
    add_sessions(side, sum.notes);
    add_noise(side, sum.notes);
    add_overhead(side, sum.notes);
    return sum;
}

std::vector<std::string> sampling_notes(const Measurement& before, const Measurement& after) {
    std::vector<std::string> notes;
    const std::string one = events_of(before), other = events_of(after);
    if (one != other && !one.empty() && !other.empty())
        notes.push_back(fmt::format("shares of different things: {} before, {} after", one, other));
    if (is_masked_late(before) || is_masked_late(after))
        notes.emplace_back(
            "samples of code that runs with interrupts masked lie where it ends: "
            "its share is not seen in it");
    return notes;
}

std::vector<std::string> drifts_of(const Measurement& side, const char* which) {
    constexpr double kAlphaOfAll = 0.05;
    const std::vector<Series> all = series_of(side);
    std::vector<std::string> notes;
    for (const Series& series : all) {
        const double alpha = kAlphaOfAll / static_cast<double>(all.size());
        const auto drift = find_drift(series.values, alpha);
        // Too few values to show one.
        if (!drift || drift->p >= alpha) continue;
        notes.push_back(fmt::format(
            "{} drifted in the session of {} ({}): {:+.1f}% an hour, p = "
            "{:.2g}; no figure is corrected by that",
            series.name, series.started_at, which, 100 * drift->per_hour.value, drift->p));
    }
    return notes;
}

}  // namespace kcost
