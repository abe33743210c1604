#include "analyse/measured_boots.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "model/figures.h"
#include "model/ticks.h"

namespace kcost {
namespace {

using model::Measurement;
using model::Mode;

constexpr const char* kUnknownBoot = "unknown";

const model::Target* target_of(const Measurement& side, const model::Repetition& repetition,
                               const std::string& name) {
    const auto named = std::find(side.targets.begin(), side.targets.end(), name);
    const auto index = static_cast<std::size_t>(named - side.targets.begin());
    return index < repetition.targets.size() ? &repetition.targets[index] : nullptr;
}

void add_value(std::vector<Boot>& boots, const model::MeasuredSession& session, double value) {
    const std::string id = session.boot_id.empty() ? kUnknownBoot : session.boot_id;
    if (boots.empty() || boots.back().id != id) boots.push_back({id, {}});
    boots.back().values.push_back(value);
}

model::Figures sum_of(const model::Target& target) {
    model::Figures sum;
    for (const model::Site& site : target.sites) model::add(sum, site.figures);
    return sum;
}

}  // namespace

std::vector<RepetitionView> repetitions_of(const Measurement& side, std::size_t workload, Mode mode,
                                           const std::string& target) {
    std::vector<RepetitionView> found;
    for (const model::MeasuredSession& session : side.sessions)
        for (const model::Repetition& it : session.repetitions)
            if (it.workload == workload && it.mode == mode)
                found.push_back({&session, &it, target_of(side, it, target)});
    return found;
}

std::vector<Boot> bare_boots(const Measurement& side, std::size_t workload, std::size_t metric) {
    std::vector<Boot> boots;
    for (const RepetitionView& it : repetitions_of(side, workload, Mode::kBare)) {
        const std::vector<double>& values = it.repetition->values;
        add_value(
            boots, *it.session,
            metric < values.size() ? values[metric] : std::numeric_limits<double>::quiet_NaN());
    }
    return join_sessions(boots);
}

std::vector<Boot> call_time_boots(const Measurement& side, std::size_t workload,
                                  const std::string& target) {
    std::vector<Boot> boots;
    for (const RepetitionView& it : repetitions_of(side, workload, Mode::kProbed, target)) {
        if (it.target == nullptr) continue;
        const model::Figures sum = sum_of(*it.target);
        if (sum.spans > 0) add_value(boots, *it.session, model::mean_ns(sum));
    }
    return join_sessions(boots);
}

std::vector<Boot> instruction_boots(const Measurement& side, std::size_t workload) {
    std::vector<Boot> boots;
    for (const RepetitionView& it : repetitions_of(side, workload, Mode::kBare)) {
        const std::uint64_t operations = model::units_of(it.repetition->ticks);
        const auto& instructions = it.repetition->kernel_instructions;
        if (!instructions || operations == 0) continue;
        add_value(boots, *it.session,
                  static_cast<double>(*instructions) / static_cast<double>(operations));
    }
    return join_sessions(boots);
}

std::string mechanisms_of(const Measurement& side, std::size_t workload,
                          const std::string& target) {
    std::set<std::string> all;
    for (const RepetitionView& it : repetitions_of(side, workload, Mode::kProbed, target)) {
        if (it.target == nullptr) continue;
        for (const model::Site& site : it.target->sites) all.insert(site.mechanism);
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

bool is_at_floor(const Measurement& side, std::size_t workload, const std::string& target) {
    model::Figures sum;
    std::uint64_t floor_ns = 0;
    for (const RepetitionView& it : repetitions_of(side, workload, Mode::kProbed, target)) {
        if (it.target == nullptr) continue;
        for (const model::Site& site : it.target->sites) {
            if (site.figures.spans > 0) floor_ns = std::max(floor_ns, site.floor_ns);
            model::add(sum, site.figures);
        }
    }
    return sum.spans > 0 && model::is_at_floor(sum, floor_ns);
}

}  // namespace kcost
