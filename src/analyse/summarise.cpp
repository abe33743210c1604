#include "analyse/summarise.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "analyse/boot_spread.h"
#include "analyse/boots.h"
#include "analyse/boots_needed.h"
#include "base/text.h"
#include "model/figures.h"

namespace kcost {
namespace {

using model::Mode;
using model::Repetition;

std::vector<const Repetition*> repetitions_of(const model::MeasuredSession& session,
                                              std::size_t workload, Mode mode) {
    std::vector<const Repetition*> found;
    for (const Repetition& it : session.repetitions) {
        if (it.workload == workload && it.mode == mode) found.push_back(&it);
    }
    return found;
}

std::string label_of(const model::MeasuredWorkload& workload) {
    return workload.command.empty() ? workload.name : workload.command.front();
}

model::MeasuredMetric metric_of(const model::Measurement& m, std::size_t workload,
                                std::size_t metric) {
    const model::MeasuredWorkload& about = m.workloads[workload];
    std::vector<double> values;
    for (const Repetition* it : repetitions_of(m.sessions.back(), workload, Mode::kBare))
        values.push_back(it->values.at(metric));
    model::MeasuredMetric summary;
    summary.workload = label_of(about);
    summary.control = about.control;
    summary.metric = about.metrics[metric].name;
    summary.unit = about.metrics[metric].unit;
    summary.n = values.size();
    if (!values.empty()) summary.mean = mean_of(values);
    summary.sd = std::sqrt(variance_of(values));
    return summary;
}

// Figures of a target over several repetitions.
struct TargetSum {
    model::Figures figures;
    std::uint64_t calls = 0;
    std::uint64_t floor_ns = 0;
    std::set<std::string> mechanisms;
    std::string missing;

    void add(const model::Target& target) {
        for (const model::Site& site : target.sites) {
            model::add(figures, site.figures);
            calls += model::calls_of(target, site.figures);
            floor_ns = std::max(floor_ns, site.floor_ns);
            mechanisms.insert(site.mechanism);
        }
        if (target.sites.empty() && !target.skipped.empty()) missing = target.skipped[0].reason;
    }
};

std::optional<double> sampled_share(const std::vector<const Repetition*>& sampled,
                                    const std::string& target) {
    std::uint64_t in_target = 0, all = 0;
    bool told = false;
    for (const Repetition* it : sampled) {
        for (const model::TargetSamples& samples : it->sampled->in_targets) {
            if (samples.target != target) continue;
            told = true;
            in_target += samples.samples;
            all += it->sampled->samples;
        }
    }
    if (!told || all == 0) return std::nullopt;
    return static_cast<double>(in_target) / static_cast<double>(all);
}

model::MeasuredTarget target_of(const model::Measurement& m, std::size_t workload,
                                std::size_t target) {
    const model::MeasuredSession& session = m.sessions.back();
    model::MeasuredTarget summary;
    summary.workload = label_of(m.workloads[workload]);
    summary.operation = m.workloads[workload].unit;
    summary.target = m.targets[target];
    TargetSum sum;
    for (const Repetition* it : repetitions_of(session, workload, Mode::kProbed)) {
        sum.add(it->targets.at(target));
        summary.operations += it->operations;
    }
    summary.mechanism = fmt::format("{}", fmt::join(sum.mechanisms, ", "));
    summary.missing = sum.missing;
    summary.calls = sum.calls;
    summary.at_floor = model::is_at_floor(sum.figures, sum.floor_ns);
    if (sum.figures.spans > 0) summary.ns = model::mean_ns(sum.figures);
    summary.share =
        sampled_share(repetitions_of(session, workload, Mode::kSampled), summary.target);
    return summary;
}

std::size_t boots_in(const model::Measurement& m) {
    std::set<std::string> ids;
    std::size_t unknown = 0;
    for (const model::MeasuredSession& session : m.sessions) {
        if (session.boot_id.empty())
            unknown++;
        else
            ids.insert(session.boot_id);
    }
    return ids.size() + unknown;
}

// Each kind once, with how often and the worst.
void add_noise(const model::MeasuredSession& session, std::vector<std::string>& notes) {
    struct Found {
        std::size_t times = 0;
        const model::Noise* worst = nullptr;
    };
    std::map<std::string, Found> kinds;
    for (const Repetition& it : session.repetitions) {
        for (const model::Noise& noise : it.noise) {
            Found& found = kinds[noise.kind];
            found.times++;
            if (found.worst == nullptr || noise.amount > found.worst->amount) found.worst = &noise;
        }
    }
    for (const auto& [kind, found] : kinds) {
        notes.push_back(fmt::format("{} in {} of {} repetitions, at worst: {}", kind, found.times,
                                    session.repetitions.size(), found.worst->says));
    }
}

void add_losses(const model::MeasuredSession& session, std::vector<std::string>& notes) {
    model::LostSum lost;
    std::uint64_t samples = 0;
    bool unknown = false;
    for (const Repetition& it : session.repetitions) {
        for (const model::Target& target : it.targets)
            for (const model::Site& site : target.sites) model::add(lost, site);
        if (!it.sampled) continue;
        samples += it.sampled->lost.value_or(0);
        unknown = unknown || !it.sampled->lost;
    }
    if (lost.of_entries || lost.unseen)
        notes.push_back(
            fmt::format("{} calls were lost, {} never seen", lost.of_entries, lost.unseen));
    if (samples) notes.push_back(fmt::format("{} samples were lost", samples));
    if (unknown) notes.push_back("samples were lost, and the kernel does not tell how many");
}

void add_doubts(const model::Measurement& m, std::vector<std::string>& notes) {
    for (const Repetition& it : m.sessions.back().repetitions) {
        if (!model::is_doubtful(it.proof)) continue;
        notes.push_back(fmt::format("doubtful: {} {} for {} {} of {}, in repetition {}",
                                    it.proof.counted, it.proof.what, it.proof.units,
                                    m.workloads[it.workload].unit, m.workloads[it.workload].name,
                                    it.order + 1));
    }
}

std::optional<double> mean_in(const model::Measurement& m, std::size_t workload, Mode mode) {
    std::vector<double> values;
    for (const Repetition* it : repetitions_of(m.sessions.back(), workload, mode)) {
        if (!it->values.empty()) values.push_back(it->values.front());
    }
    if (values.empty()) return std::nullopt;
    return mean_of(values);
}

// What looking on did to a workload, by its first metric.
void add_overheads(const model::Measurement& m, std::vector<std::string>& notes) {
    for (std::size_t i = 0; i < m.workloads.size(); i++) {
        const auto bare = mean_in(m, i, Mode::kBare);
        const auto probed = mean_in(m, i, Mode::kProbed);
        const auto sampled = mean_in(m, i, Mode::kSampled);
        if (!bare || !probed || !sampled || m.workloads[i].metrics.empty()) continue;
        notes.push_back(
            fmt::format("{} of {} differs from bare by {:+.1f}% while probed, {:+.1f}% "
                        "while sampled",
                        m.workloads[i].metrics[0].name, label_of(m.workloads[i]),
                        100 * (*probed / *bare - 1), 100 * (*sampled / *bare - 1)));
    }
}

model::MeasuredSpread spread_of_metric(const model::Measurement& m, std::size_t workload,
                                       std::size_t metric) {
    std::vector<Boot> sessions;
    for (const model::MeasuredSession& session : m.sessions) {
        Boot boot{session.boot_id, {}};
        for (const Repetition* it : repetitions_of(session, workload, Mode::kBare))
            boot.values.push_back(it->values.at(metric));
        if (!boot.values.empty()) sessions.push_back(std::move(boot));
    }
    model::MeasuredSpread spread;
    spread.workload = label_of(m.workloads[workload]);
    spread.metric = m.workloads[workload].metrics[metric].name;
    const auto parts = variance_components(sessions);
    if (!parts) {
        spread.missing = parts.error().what;
        return spread;
    }
    spread.boot_sd = parts->boot_sd;
    spread.repetition_sd = parts->repetition_sd;
    spread.boot_negative = parts->boot_negative;
    spread.repetitions = parts->repetitions;
    for (const Resolution& it : resolutions(*parts, parts->repetitions))
        spread.resolutions.push_back({it.effect, it.boots});
    return spread;
}

}  // namespace

std::vector<model::MeasuredSpread> spreads_of(const model::Measurement& m) {
    std::vector<model::MeasuredSpread> spreads;
    for (std::size_t i = 0; i < m.workloads.size(); i++) {
        for (std::size_t metric = 0; metric < m.workloads[i].metrics.size(); metric++)
            spreads.push_back(spread_of_metric(m, i, metric));
    }
    return spreads;
}

model::MeasuredSummary summarise(const model::Measurement& m) {
    model::MeasuredSummary summary;
    if (m.sessions.empty()) return summary;
    const model::MeasuredSession& session = m.sessions.back();
    summary.release = session.kernel.release;
    summary.ended = session.ended;
    summary.boots = boots_in(m);
    summary.sessions = m.sessions.size();
    summary.seed = session.seed;
    summary.emulated = session.emulated;
    for (std::size_t i = 0; i < m.workloads.size(); i++) {
        for (std::size_t metric = 0; metric < m.workloads[i].metrics.size(); metric++)
            summary.metrics.push_back(metric_of(m, i, metric));
        for (std::size_t target = 0; target < m.targets.size(); target++)
            summary.targets.push_back(target_of(m, i, target));
    }
    add_overheads(m, summary.notes);
    add_doubts(m, summary.notes);
    add_losses(session, summary.notes);
    add_noise(session, summary.notes);
    if (!session.no_evidence.empty())
        summary.notes.push_back("what the kernel has of the patches is not known: " +
                                session.no_evidence);
    return summary;
}

}  // namespace kcost
