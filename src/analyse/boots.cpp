#include "analyse/boots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kcost {
namespace {

Result<void> check_values(const Boot& boot, std::size_t number, std::string_view metric) {
    const std::string what = fmt::format("cannot compare {}: boot {}", metric, number);
    if (boot.values.empty())
        return fail(what + " has no value of it", "measure it again, or name another metric");
    for (std::size_t i = 0; i < boot.values.size(); i++) {
        const double value = boot.values[i];
        if (std::isfinite(value) && value > 0) continue;
        return fail(fmt::format("{} has {} in repetition {}: a ratio needs numbers above 0", what,
                                value, i + 1),
                    "look at what the workload printed there");
    }
    if (!std::isfinite(mean_of(boot.values))) return fail(what + " has numbers too large to add");
    return {};
}

void add_repetitions(Units& units, const Boot& boot) {
    std::vector<double> logs;
    for (double value : boot.values) logs.push_back(std::log(value));
    const double df = static_cast<double>(logs.size() - 1);
    units.log_means.push_back(std::log(mean_of(boot.values)));
    units.weights.push_back(1 / static_cast<double>(logs.size()));
    units.repetition_variance += df * variance_of(logs);
    units.repetition_df += df;
}

Result<std::vector<Boot>> in_order_of(const std::vector<Boot>& boots,
                                      const std::vector<Boot>& others, std::string_view metric) {
    std::vector<Boot> ordered;
    for (const Boot& boot : boots) {
        const auto same = std::find_if(others.begin(), others.end(), [&](const Boot& other) {
            return !other.id.empty() && other.id == boot.id;
        });
        if (same != others.end()) ordered.push_back(*same);
    }
    if (ordered.size() == boots.size() && boots.size() == others.size()) return ordered;
    return fail(
        fmt::format("cannot compare {} with its control: not measured in the same boots", metric),
        "measure both in each boot");
}

}  // namespace

double mean_of(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    const double mean = mean_of(values);
    double sum = 0;
    for (double value : values) sum += (value - mean) * (value - mean);
    const double variance = sum / static_cast<double>(values.size() - 1);
    constexpr double kRounding = 1e-12;
    const double least = kRounding * std::max(1.0, std::abs(mean));
    return variance > least * least ? variance : 0;
}

std::vector<Boot> join_sessions(const std::vector<Boot>& sessions) {
    std::vector<Boot> boots;
    for (const Boot& session : sessions) {
        const auto same = std::find_if(boots.begin(), boots.end(), [&](const Boot& boot) {
            return !session.id.empty() && boot.id == session.id;
        });
        if (same == boots.end())
            boots.push_back(session);
        else
            same->values.insert(same->values.end(), session.values.begin(), session.values.end());
    }
    return boots;
}

Result<Units> make_units(const std::vector<Boot>& sessions, std::string_view metric) {
    const std::vector<Boot> boots = join_sessions(sessions);
    if (boots.empty()) return fail(fmt::format("cannot compare {}: no boot has it", metric));
    Units units;
    for (std::size_t i = 0; i < boots.size(); i++) {
        const auto checked = check_values(boots[i], i + 1, metric);
        if (!checked) return tl::unexpected(checked.error());
        add_repetitions(units, boots[i]);
    }
    if (units.repetition_df > 0) units.repetition_variance /= units.repetition_df;
    return units;
}

Result<Units> make_relative_units(const std::vector<Boot>& sessions,
                                  const std::vector<Boot>& control, std::string_view metric) {
    const std::vector<Boot> boots = join_sessions(sessions);
    const auto in_order = in_order_of(boots, join_sessions(control), metric);
    if (!in_order) return tl::unexpected(in_order.error());
    auto units = make_units(boots, metric);
    const auto others = make_units(*in_order, fmt::format("the control of {}", metric));
    if (!units) return units;
    if (!others) return others;
    for (std::size_t i = 0; i < boots.size(); i++) {
        units->log_means[i] -= others->log_means[i];
        units->weights[i] = std::max(units->weights[i], others->weights[i]);
    }
    units->repetition_variance += others->repetition_variance;
    units->repetition_df = std::min(units->repetition_df, others->repetition_df);
    return units;
}

}  // namespace kcost
