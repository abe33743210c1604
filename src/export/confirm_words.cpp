#include "export/confirm_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/claims_text.h"

namespace kcost::confirm_words {
namespace {

struct Scale {
    double by = 1;
    const char* prefix = "";
};

// As the kernel's own benchmarks print rates: millions from a tenth of one on.
Scale scale_of(double value, const std::string& unit) {
    if (unit != "/s") return {};
    if (value >= 1e5) return {1e6, "M"};
    return value >= 100 ? Scale{1e3, "k"} : Scale{};
}

int digits_before_point(double value) {
    return value > 0 ? static_cast<int>(std::floor(std::log10(value))) : 0;
}

// Four digits of the mean, two of its spread.
int decimals_of(const model::MetricSide& side, double by) {
    const int mean = 3 - digits_before_point(side.mean / by);
    const bool spread = side.sd && *side.sd > 0;
    const int sd = spread ? 1 - digits_before_point(*side.sd / by) : 0;
    return std::clamp(std::max(mean, sd), 0, 9);
}

std::string side_figure(const model::MetricSide& side, double by, int decimals) {
    if (side.boots.empty()) return "-";
    const std::string mean = fmt::format("{:.{}f}", side.mean / by, decimals);
    if (!side.sd) return mean;
    return fmt::format("{} ± {:.{}f}", mean, *side.sd / by, decimals);
}

std::string number(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : "unbounded";
}

std::string percent(double fraction) { return fmt::format("{:.2f}%", 100 * fraction); }

std::string machine_and_change(const model::Publication& publication,
                               const model::PublishedFigure& figure,
                               const model::GradedFigure& grade) {
    const bool told = figure.before && figure.after && grade.change;
    const std::string change = told ? fmt::format(" ({:+.1f}%)", 100 * *grade.change) : "";
    return fmt::format("{}{}, {}", figure_in_words(figure), change, publication.machine);
}

bool is_measured(const model::Confirmation& confirmation, const std::string& name) {
    return std::any_of(confirmation.metrics.begin(), confirmation.metrics.end(),
                       [&](const model::ConfirmedMetric& it) { return it.name == name; });
}

}  // namespace

std::string change(double ratio) { return format_change(ratio, 1); }

std::string interval(const model::Estimate& ratio) {
    return fmt::format("{} ({} to {})", change(ratio.value), change(ratio.low), change(ratio.high));
}

std::string rate(const model::Estimate& rate) {
    return fmt::format("{} ({} to {})", number(rate.value), number(rate.low), number(rate.high));
}

std::string share(const model::Estimate& share) {
    return fmt::format("{} ({} to {})", percent(share.value), percent(share.low),
                       percent(share.high));
}

Figures figures(const model::ConfirmedMetric& metric) {
    if (metric.before.boots.empty() && metric.after.boots.empty()) return {"-", "-", ""};
    const Scale scale = scale_of(metric.before.mean, metric.unit);
    const int decimals =
        std::max(decimals_of(metric.before, scale.by), decimals_of(metric.after, scale.by));
    return {side_figure(metric.before, scale.by, decimals),
            side_figure(metric.after, scale.by, decimals), scale.prefix + metric.unit};
}

std::string evidence(const model::PatchFinding& finding) {
    const std::string form = finding.form.empty() ? "" : " (" + finding.form + ")";
    return to_string(finding.evidence) + form;
}

std::string title(const model::ConfirmedEffect& effect) {
    if (effect.of == model::EffectOf::kTime)
        return fmt::format("{} in {}", effect.name, effect.workload);
    return fmt::format("{} per {} in {}", effect.name, effect.operation, effect.workload);
}

std::string mean(const model::ConfirmedEffect& effect, double value) {
    if (effect.of == model::EffectOf::kTime) return format_ns(value);
    return fmt::format("{:.1f} instructions", value);
}

std::string measured(const model::ConfirmedSide& side) {
    return fmt::format("{} boot{}, {} bare, {} probed and {} sampled repetitions", side.boots,
                       side.boots == 1 ? "" : "s", side.bare, side.probed, side.sampled);
}

std::vector<std::string> marks(const model::Confirmation& confirmation) {
    std::vector<std::string> all;
    if (confirmation.emulated) all.emplace_back("emulated: time is not true");
    if (confirmation.same_kernel)
        all.emplace_back("the same kernel twice");
    else if (confirmation.kernel_change)
        all.emplace_back("the kernels differ in more than this patch");
    return all;
}

std::vector<std::string> published(const model::Confirmation& confirmation,
                                   const std::string& workload) {
    std::vector<std::string> all;
    if (!confirmation.patch) return all;
    for (const model::GradedPublication& it : confirmation.patch->publications)
        for (std::size_t i = 0; i < it.grades.size(); ++i)
            if (it.publication.figures.at(i).name == workload)
                all.push_back(
                    machine_and_change(it.publication, it.publication.figures[i], it.grades[i]));
    return all;
}

std::vector<std::string> published_otherwise(const model::Confirmation& confirmation) {
    std::vector<std::string> all;
    if (!confirmation.patch) return all;
    for (const model::GradedPublication& it : confirmation.patch->publications)
        for (std::size_t i = 0; i < it.grades.size(); ++i)
            if (!is_measured(confirmation, it.publication.figures.at(i).name))
                all.push_back(fmt::format(
                    "{}: {}", it.publication.figures[i].name,
                    machine_and_change(it.publication, it.publication.figures[i], it.grades[i])));
    return all;
}

}  // namespace kcost::confirm_words
