#include "analyse/matched_workloads.h"

#include <fmt/format.h>

#include <algorithm>

namespace kcost {
namespace {

using model::MeasuredWorkload;
using model::Measurement;

std::string label_of(const MeasuredWorkload& workload) {
    if (workload.command.empty()) return workload.name;
    return fmt::format("{}", fmt::join(workload.command, " "));
}

// "unknown" where a side does not have it.
std::string setting(const MeasuredWorkload& workload, const std::string& name) {
    for (const auto& [key, value] : workload.settings)
        if (key == name) return value;
    return "unknown";
}

bool is_same_work(const MeasuredWorkload& one, const MeasuredWorkload& other) {
    return one.name == other.name && one.command == other.command;
}

std::optional<std::size_t> find_in(const Measurement& side, const MeasuredWorkload& wanted) {
    for (std::size_t i = 0; i < side.workloads.size(); ++i)
        if (is_same_work(side.workloads[i], wanted)) return i;
    return std::nullopt;
}

MatchedWorkload only_on(const MeasuredWorkload& workload, const char* other) {
    MatchedWorkload matched;
    matched.workload = &workload;
    matched.label = label_of(workload);
    matched.control = workload.control;
    matched.only_on_one_side = true;
    matched.problem = fmt::format("it was not measured {}", other);
    return matched;
}

}  // namespace

std::string differing_settings(const MeasuredWorkload& before, const MeasuredWorkload& after) {
    std::vector<std::string> differ;
    const auto compare = [&](const std::string& name) {
        const std::string one = setting(before, name), other = setting(after, name);
        if (name == "seed" || one == other) return;
        const std::string text = fmt::format("{}: {} before, {} after", name, one, other);
        if (std::find(differ.begin(), differ.end(), text) == differ.end()) differ.push_back(text);
    };
    for (const auto& [name, value] : before.settings) compare(name);
    for (const auto& [name, value] : after.settings) compare(name);
    if (before.unit != after.unit)
        differ.push_back(fmt::format("unit of work: {} before, {} after", before.unit, after.unit));
    return fmt::format("{}", fmt::join(differ, "; "));
}

std::vector<MatchedWorkload> match_workloads(const Measurement& before, const Measurement& after) {
    std::vector<MatchedWorkload> all;
    for (std::size_t i = 0; i < before.workloads.size(); ++i) {
        const MeasuredWorkload& one = before.workloads[i];
        const auto other = find_in(after, one);
        MatchedWorkload matched = only_on(one, "after");
        if (other) {
            matched.only_on_one_side = false;
            matched.before = i;
            matched.after = *other;
            matched.control = one.control || after.workloads[*other].control;
            const std::string differ = differing_settings(one, after.workloads[*other]);
            matched.settings_differ = !differ.empty();
            matched.problem = differ.empty() ? "" : "its settings differ: " + differ;
        }
        all.push_back(std::move(matched));
    }
    for (const MeasuredWorkload& one : after.workloads)
        if (!find_in(before, one)) all.push_back(only_on(one, "before"));
    return all;
}

std::vector<MatchedMetric> match_metrics(const MatchedWorkload& matched, const Measurement& after) {
    const auto& metrics = matched.workload->metrics;
    std::vector<MatchedMetric> all;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        MatchedMetric metric;
        metric.metric = &metrics[i];
        metric.label = matched.label + (metrics.size() > 1 ? " " + metrics[i].name : "");
        metric.problem = matched.problem;
        metric.before = i;
        if (matched.problem.empty()) {
            const auto& others = after.workloads.at(matched.after).metrics;
            const auto other = std::find(others.begin(), others.end(), metrics[i]);
            metric.after = static_cast<std::size_t>(other - others.begin());
            if (other == others.end())
                metric.problem =
                    fmt::format("after does not have the metric {} as before", metrics[i].name);
        }
        all.push_back(std::move(metric));
    }
    if (all.empty()) {
        const std::string none = matched.problem.empty() ? "it has no metric" : matched.problem;
        all.push_back({.label = matched.label, .problem = none});
    }
    return all;
}

}  // namespace kcost
