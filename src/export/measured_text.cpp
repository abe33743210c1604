#include "export/measured_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace kcost {
namespace {

std::string value_of(const model::MeasuredMetric& metric) {
    if (metric.n == 0) return "not measured";
    const std::string mean = format_figure(metric.mean);
    const std::string unit = metric.unit.empty() ? "" : " " + metric.unit;
    if (metric.n == 1) return mean + unit + ", of one repetition";
    const std::string sd =
        metric.sd < 1000 ? fmt::format("{:.3g}", metric.sd) : fmt::format("{:.0f}", metric.sd);
    return fmt::format("{} ± {}{} (sd of {} repetitions, {})", mean, sd, unit, metric.n,
                       format_percent(metric.sd / metric.mean));
}

std::string per_operation(const model::MeasuredTarget& target) {
    if (target.operations == 0) return fmt::format("{} calls", target.calls);
    const double rate = static_cast<double>(target.calls) / static_cast<double>(target.operations);
    return fmt::format("{:.4g} calls per operation ({} for {} {})", rate, target.calls,
                       target.operations, target.operation);
}

std::string figures_of(const model::MeasuredTarget& target) {
    std::string text;
    if (target.mechanism.empty()) {
        text = "not probed" + (target.missing.empty() ? "" : ": " + target.missing);
    } else {
        text = per_operation(target) + ", by " + target.mechanism;
        if (target.ns)
            text += ", " + (target.at_floor ? "at the floor" : format_ns(*target.ns) + " a call");
    }
    if (target.share) text += ", " + format_percent(*target.share) + " of samples";
    return text;
}

std::string boots_of(const model::MeasuredResolution& resolution) {
    if (!resolution.boots) return "more than 1000 boots";
    return fmt::format("{} boots", *resolution.boots);
}

}  // namespace

std::string format_figure(double value) {
    constexpr double kSixDigits = 1e6, kReadable = 1e15;
    if (value >= kSixDigits && value < kReadable) return fmt::format("{:.0f}", value);
    return fmt::format("{:.6g}", value);
}

std::string render_measured_text(const model::MeasuredSummary& summary) {
    std::string out = fmt::format(
        "Linux {}: {}; {} boot{} in {} session{}, seed {}\n", escape_for_terminal(summary.release),
        escape_for_terminal(summary.ended), summary.boots, summary.boots == 1 ? "" : "s",
        summary.sessions, summary.sessions == 1 ? "" : "s", summary.seed);
    for (const model::MeasuredMetric& metric : summary.metrics) {
        out += fmt::format("  {}{}, {}: {}\n", escape_for_terminal(metric.workload),
                           metric.control ? " (control)" : "", escape_for_terminal(metric.metric),
                           escape_for_terminal(value_of(metric)));
    }
    for (const model::MeasuredTarget& target : summary.targets) {
        out += fmt::format("  {} in {}: {}\n", escape_for_terminal(target.target),
                           escape_for_terminal(target.workload),
                           escape_for_terminal(figures_of(target)));
    }
    if (summary.emulated) out += "note: emulated, so counts are true and times are not\n";
    for (const std::string& note : summary.notes)
        out += "note: " + escape_for_terminal(note) + "\n";
    return out;
}

std::string render_spreads_text(const std::vector<model::MeasuredSpread>& spreads) {
    std::string out;
    for (const model::MeasuredSpread& spread : spreads) {
        out += fmt::format("{}, {}:", escape_for_terminal(spread.workload),
                           escape_for_terminal(spread.metric));
        if (!spread.missing.empty()) {
            out += " " + escape_for_terminal(spread.missing) + "\n";
            continue;
        }
        out += fmt::format("\n  sd between boots      {}{}\n  sd of a repetition    {}\n",
                           format_percent(spread.boot_sd),
                           spread.boot_negative ? " (repetitions explain all)" : "",
                           format_percent(spread.repetition_sd));
        for (const model::MeasuredResolution& it : spread.resolutions) {
            out += fmt::format("  an effect of {:<8} {} a side, of {:.3g} repetitions\n",
                               format_percent(it.effect), boots_of(it), spread.repetitions);
        }
    }
    return out;
}

}  // namespace kcost
