#include "analyse/confirm_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyse/boot_spread.h"
#include "analyse/measured_boots.h"
#include "analyse/permutation.h"

namespace kcost {
namespace {

using model::ConfirmedMetric;

struct ComparedMetric {
    std::optional<Comparison> comparison;
    std::string missing;
};

model::MetricSide side_of(const std::vector<Boot>& boots) {
    model::MetricSide side;
    std::vector<double> means;
    for (const Boot& boot : boots) {
        side.boots.push_back({boot.id, boot.values});
        const double mean = mean_of(boot.values);
        // One that lacks a value is not judged; the others are still shown.
        if (std::isfinite(mean)) means.push_back(mean);
    }
    side.mean = mean_of(means);
    if (means.size() >= 2) side.sd = std::sqrt(variance_of(means));
    return side;
}

// Work that somebody else counted otherwise was not done as it says.
std::string doubt_of(const model::Measurement& side, std::size_t workload, const char* which) {
    const auto all = repetitions_of(side, workload, model::Mode::kBare);
    const auto doubtful = std::count_if(all.begin(), all.end(), [](const RepetitionView& it) {
        return model::is_doubtful(it.repetition->proof);
    });
    if (doubtful == 0) return "";
    return fmt::format("{}, the second count does not agree in {} of {} repetitions", which,
                       doubtful, all.size());
}

// What boots of this metric differ by on this machine, for sides of few boots.
BootSpread spread_for(const ConfirmSides& sides, const MatchedWorkload& workload,
                      const model::Metric& metric) {
    if (sides.aa == nullptr) return {};
    const auto& workloads = sides.aa->workloads;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
        const bool same = workloads[i].name == workload.workload->name &&
                          workloads[i].command == workload.workload->command &&
                          differing_settings(workloads[i], *workload.workload).empty();
        const auto& metrics = workloads[i].metrics;
        const auto found = std::find(metrics.begin(), metrics.end(), metric);
        if (!same || found == metrics.end()) continue;
        const auto index = static_cast<std::size_t>(found - metrics.begin());
        const auto components = variance_components(bare_boots(*sides.aa, i, index));
        if (components) return spread_for_few(*components);
    }
    return {};
}

ComparedMetric compare_units(const Result<Units>& before, const Result<Units>& after,
                             const BootSpread& few) {
    if (!before) return {{}, "before: " + before.error().what};
    if (!after) return {{}, "after: " + after.error().what};
    const auto comparison = compare(*before, *after, few);
    if (!comparison) return {{}, comparison.error().what};
    return {*comparison, ""};
}

std::string first_of(const std::string& one, const std::string& other) {
    return one.empty() ? other : one;
}

ComparedMetric compare_metric(const ConfirmSides& sides, const MatchedWorkload& workload,
                              const MatchedMetric& metric, ConfirmedMetric& shown) {
    if (!metric.problem.empty()) return {{}, metric.problem};
    const auto before = bare_boots(*sides.before, workload.before, metric.before);
    const auto after = bare_boots(*sides.after, workload.after, metric.after);
    shown.before = side_of(before);
    shown.after = side_of(after);
    const std::string doubt = first_of(doubt_of(*sides.before, workload.before, "before"),
                                       doubt_of(*sides.after, workload.after, "after"));
    if (!doubt.empty()) return {{}, doubt};
    const auto one = make_units(before, metric.label);
    const auto other = make_units(after, metric.label);
    ComparedMetric compared =
        compare_units(one, other, spread_for(sides, workload, *metric.metric));
    if (!compared.comparison) return compared;
    shown.df = compared.comparison->df;
    shown.p = compared.comparison->p;
    const auto permutation = permutation_test(one->log_means, other->log_means);
    // So few boots that none of their orders is rare contradict nothing.
    if (permutation && permutation->least_p <= kAlpha) shown.permutation_p = permutation->p;
    return compared;
}

// The most modest of what was published.
std::optional<double> claimed_ratio(const ConfirmSides& sides, const std::string& name) {
    std::optional<double> claimed;
    if (sides.patch == nullptr) return claimed;
    for (const model::Publication& publication : sides.patch->published) {
        for (const model::PublishedFigure& figure : publication.figures) {
            if (figure.name != name) continue;
            double ratio = 1 + figure.relative_change.value_or(0);
            if (figure.before && figure.after && figure.before->value > 0)
                ratio = figure.after->value / figure.before->value;
            if (!(ratio > 0)) continue;
            if (!claimed || std::abs(std::log(ratio)) < std::abs(std::log(*claimed)))
                claimed = ratio;
        }
    }
    return claimed;
}

ConfirmedMetric start(const MatchedWorkload& workload, const MatchedMetric& metric) {
    ConfirmedMetric shown;
    shown.name = metric.label;
    shown.control = workload.control;
    if (metric.metric == nullptr) return shown;
    shown.unit = metric.metric->unit;
    shown.higher_is_better = metric.metric->higher_is_better;
    return shown;
}

void add_metric(const ConfirmSides& sides, const MatchedWorkload& workload,
                const MatchedMetric& metric, FoundMetrics& found) {
    ConfirmedMetric shown = start(workload, metric);
    const ComparedMetric compared = compare_metric(sides, workload, metric, shown);
    shown.missing = compared.missing;
    found.shown.push_back(shown);
    if (workload.control)
        found.controls.push_back({metric.label, compared.comparison, compared.missing});
    else
        found.benefits.push_back({metric.label, compared.comparison, compared.missing,
                                  shown.higher_is_better, claimed_ratio(sides, workload.label)});
}

struct Place {
    const MatchedWorkload* workload = nullptr;
    MatchedMetric metric;
};

// Metrics by what they are.
std::vector<Place> places_of(const ConfirmSides& sides, bool controls) {
    std::vector<Place> places;
    for (const MatchedWorkload& workload : sides.workloads)
        if (workload.control == controls)
            for (MatchedMetric& metric : match_metrics(workload, *sides.after))
                places.push_back({&workload, std::move(metric)});
    return places;
}

model::RelativeRatio relative_to(const ConfirmSides& sides, const Place& benefit,
                                 const Place& control) {
    const auto units = [&](const model::Measurement& side, bool after) {
        const auto index = [&](const Place& place) {
            return after ? place.workload->after : place.workload->before;
        };
        const auto metric = [&](const Place& place) {
            return after ? place.metric.after : place.metric.before;
        };
        return make_relative_units(bare_boots(side, index(benefit), metric(benefit)),
                                   bare_boots(side, index(control), metric(control)),
                                   benefit.metric.label);
    };
    model::RelativeRatio relative;
    relative.control = control.metric.label;
    const ComparedMetric compared =
        compare_units(units(*sides.before, false), units(*sides.after, true), {});
    relative.missing = compared.missing;
    if (compared.comparison) relative.ratio = compared.comparison->ratio;
    return relative;
}

void add_relative(const ConfirmSides& sides, const std::vector<Place>& benefits,
                  const std::vector<Place>& controls, FoundMetrics& found) {
    for (std::size_t i = 0; i < benefits.size(); ++i) {
        if (!found.shown[i].missing.empty()) continue;
        for (std::size_t j = 0; j < controls.size(); ++j) {
            const bool judged = found.shown[benefits.size() + j].missing.empty();
            // A rate over a duration has no meaning.
            const bool alike = found.shown[benefits.size() + j].higher_is_better ==
                               found.shown[i].higher_is_better;
            if (judged && alike)
                found.shown[i].relative.push_back(relative_to(sides, benefits[i], controls[j]));
        }
    }
}

std::string state_of(const Benefit& benefit) {
    const Comparison& comparison = *benefit.comparison;
    if (differs(comparison))
        return (comparison.ratio.value > 1) == benefit.higher_is_better ? "better" : "worse";
    const double margin = equivalence_margin(benefit.claimed_ratio);
    const bool equal = !comparison.few_boots &&
                       equivalence(comparison, margin).outcome == Equivalence::Outcome::kEquivalent;
    return equal ? "no effect" : "may be none";
}

std::string state_of(const Equivalence& control) {
    const std::string margin = fmt::format("{:.1f}%", 100 * (control.margin - 1));
    if (control.outcome == Equivalence::Outcome::kEquivalent) return "equivalent within " + margin;
    if (control.outcome == Equivalence::Outcome::kMoved) return "moved";
    return "not shown to be within " + margin;
}

void set_ratio(ConfirmedMetric& shown, const Estimate& ratio, double level, std::string state) {
    shown.ratio = ratio;
    shown.level = level;
    shown.state = std::move(state);
}

// Where no time is judged: emulated times are shown, what is not comparable is not.
void settle_unjudged(const VerdictInput& input, FoundMetrics& metrics) {
    const bool comparable = input.times_differ.empty() && input.counts_differ.empty();
    for (std::size_t i = 0; i < metrics.shown.size(); ++i) {
        const bool benefit = i < input.benefits.size();
        const auto& comparison = benefit ? input.benefits[i].comparison
                                         : input.controls[i - input.benefits.size()].comparison;
        ConfirmedMetric& shown = metrics.shown[i];
        shown.state = comparable ? "not judged: emulated" : "not compared";
        if (comparison && comparable)
            set_ratio(shown, comparison->ratio, 1 - comparison->alpha, shown.state);
        if (!comparable) shown.relative.clear();
    }
}

}  // namespace

FoundMetrics find_metrics(const ConfirmSides& sides) {
    FoundMetrics found;
    const std::vector<Place> benefits = places_of(sides, false);
    const std::vector<Place> controls = places_of(sides, true);
    for (const Place& it : benefits) add_metric(sides, *it.workload, it.metric, found);
    for (const Place& it : controls) add_metric(sides, *it.workload, it.metric, found);
    add_relative(sides, benefits, controls, found);
    return found;
}

void settle(const Verdict& verdict, const VerdictInput& input, FoundMetrics& metrics) {
    const bool judged =
        !input.emulated && input.times_differ.empty() && input.counts_differ.empty();
    if (!judged) return settle_unjudged(input, metrics);
    auto control = verdict.controls.begin();
    for (std::size_t i = 0; i < metrics.shown.size(); ++i) {
        ConfirmedMetric& shown = metrics.shown[i];
        shown.state = "not judged";
        if (!shown.missing.empty()) continue;
        if (i < verdict.benefits.size()) {
            const Benefit& benefit = verdict.benefits[i];
            set_ratio(shown, benefit.comparison->ratio, 1 - benefit.comparison->alpha,
                      state_of(benefit));
        } else if (control != verdict.controls.end()) {
            set_ratio(shown, control->ratio, 0.9, state_of(*control));
            ++control;
        }
    }
}

}  // namespace kcost
