#include "analyse/confirm_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analyse/compare.h"
#include "analyse/confirm_evidence.h"
#include "analyse/counted_events.h"
#include "analyse/measured_boots.h"
#include "analyse/rates.h"

namespace kcost {
namespace {

using model::ConfirmedEffect;
using model::EffectOf;
using model::ExpectedEffect;

// A path of a few instructions among thousands is what such a patch may save.
constexpr double kLeastInstructions = 0.0002;

// "hits" is "hit", "switches" is "switch".
std::string one_of(const std::string& unit) {
    if (unit.empty()) return "operation";
    const bool two = unit.ends_with("ches") || unit.ends_with("sses");
    return unit.substr(0, unit.size() - (two ? 2 : unit.ends_with('s') ? 1 : 0));
}

ConfirmedEffect start(const MatchedWorkload& workload, const ExpectedEffect& effect) {
    ConfirmedEffect shown;
    shown.name = effect.name;
    shown.workload = workload.label;
    shown.operation = one_of(workload.workload->unit);
    shown.of = effect.of;
    return shown;
}

model::CountedSide counted(const CountedEvents& events) {
    model::CountedSide side;
    side.events = events.events;
    side.lost = events.lost;
    side.operations = events.operations;
    side.mechanism = events.mechanism;
    if (const auto rate = event_rate(events)) side.rate = *rate;
    return side;
}

std::string problem_of(const CountedEvents& before, const CountedEvents& after, bool falls) {
    if (!before.problem.empty()) return "before: " + before.problem;
    if (!after.problem.empty()) return "after: " + after.problem;
    const CountedEvents& greater = falls ? before : after;
    if (!greater.upper_bound) return "";
    return fmt::format("{}, a hit may have been counted twice: an upper bound shows no change",
                       falls ? "before" : "after");
}

// No site in these functions is no hit only where the text says that the patch took it away.
void require_sites(const ConfirmSides& sides, const ExpectedEffect& effect, CountedEvents& before,
                   CountedEvents& after) {
    for (auto [side, events] : {std::pair(sides.before, &before), std::pair(sides.after, &after)}) {
        const bool told = sides.patch != nullptr && finding_of(*side, sides.patch->slug).evidence ==
                                                        model::Evidence::kPresent;
        if (!events->no_site || told || !events->problem.empty()) continue;
        events->problem =
            fmt::format("{} has no site in {}", effect.target, fmt::join(effect.in, " or "));
    }
}

ConfirmedEffect count_effect(const ConfirmSides& sides, const MatchedWorkload& workload,
                             const ExpectedEffect& effect) {
    ConfirmedEffect shown = start(workload, effect);
    CountedEvents before = count_events(*sides.before, workload.before, effect);
    CountedEvents after = count_events(*sides.after, workload.after, effect);
    shown.before = counted(before);
    shown.after = counted(after);
    require_sites(sides, effect, before, after);
    shown.note = problem_of(before, after, effect.falls);
    if (const auto ratio = event_ratio(before, after)) shown.ratio = *ratio;
    if (shown.note.empty() && before.mechanism != after.mechanism)
        shown.note =
            fmt::format("counted by {} before and {} after", before.mechanism, after.mechanism);
    shown.judged = before.problem.empty() && after.problem.empty() &&
                   problem_of(before, after, effect.falls).empty();
    return shown;
}

std::string time_problem(const ConfirmSides& sides, const MatchedWorkload& workload,
                         const ConfirmedEffect& shown, const std::string& target) {
    if (shown.before.mechanism.empty()) return "before: it was not measured";
    if (shown.after.mechanism.empty()) return "after: it was not measured";
    if (shown.before.mechanism != shown.after.mechanism)
        return fmt::format("times are not compared: measured by {} before and {} after",
                           shown.before.mechanism, shown.after.mechanism);
    if (is_at_floor(*sides.before, workload.before, target) ||
        is_at_floor(*sides.after, workload.after, target))
        return "a call takes under twice what a probe on nothing takes: no figure";
    return "";
}

double mean_of_boots(const std::vector<Boot>& boots) {
    std::vector<double> means;
    for (const Boot& boot : boots) means.push_back(mean_of(boot.values));
    return mean_of(means);
}

// Effects that are told from boots share the look's level; counts are exact, and times are not
// judged where they are not true or not comparable.
double level_of_means(const ConfirmSides& sides) {
    const bool times = !sides.machines.emulated && sides.machines.times_differ.empty();
    const auto of_means = [&](const ExpectedEffect& it) {
        return it.of == EffectOf::kInstructions || (it.of == EffectOf::kTime && times);
    };
    const auto effects =
        std::count_if(sides.patch->effects.begin(), sides.patch->effects.end(), of_means);
    const auto workloads =
        std::count_if(sides.workloads.begin(), sides.workloads.end(),
                      [](const MatchedWorkload& it) { return it.problem.empty() && !it.control; });
    return sides.alpha / static_cast<double>(std::max<std::ptrdiff_t>(1, effects * workloads));
}

void compare_means(const ConfirmSides& sides, const std::vector<Boot>& before,
                   const std::vector<Boot>& after, const std::string& what,
                   ConfirmedEffect& shown) {
    const auto one = make_units(before, what + " before");
    const auto other = make_units(after, what + " after");
    if (!one || !other) {
        shown.note = one ? other.error().what : one.error().what;
        return;
    }
    shown.before_mean = mean_of_boots(before);
    shown.after_mean = mean_of_boots(after);
    const auto comparison = compare(*one, *other, {});
    if (!comparison) {
        shown.note = comparison.error().what;
        return;
    }
    shown.ratio = at_level(*comparison, level_of_means(sides)).ratio;
    shown.judged = true;
}

ConfirmedEffect time_effect(const ConfirmSides& sides, const MatchedWorkload& workload,
                            const ExpectedEffect& effect) {
    ConfirmedEffect shown = start(workload, effect);
    shown.before.mechanism = mechanisms_of(*sides.before, workload.before, effect.target);
    shown.after.mechanism = mechanisms_of(*sides.after, workload.after, effect.target);
    shown.note = time_problem(sides, workload, shown, effect.target);
    if (!shown.note.empty()) return shown;
    compare_means(sides, call_time_boots(*sides.before, workload.before, effect.target),
                  call_time_boots(*sides.after, workload.after, effect.target),
                  "the time of " + effect.target, shown);
    return shown;
}

// What a kernel runs depends on its configuration and its CPU, as time does.
std::string instruction_problem(const ConfirmSides& sides, const MatchedWorkload& workload) {
    if (!sides.machines.times_differ.empty())
        return "these differ: " + sides.machines.times_differ.front();
    for (const auto& [side, index, which] : {std::tuple(sides.before, workload.before, "before"),
                                             std::tuple(sides.after, workload.after, "after")})
        if (instruction_boots(*side, index).empty())
            return fmt::format("{}: no CPU's counter of instructions was to be had", which);
    return "";
}

ConfirmedEffect instruction_effect(const ConfirmSides& sides, const MatchedWorkload& workload,
                                   const ExpectedEffect& effect) {
    ConfirmedEffect shown = start(workload, effect);
    shown.note = instruction_problem(sides, workload);
    if (!shown.note.empty()) return shown;
    compare_means(sides, instruction_boots(*sides.before, workload.before),
                  instruction_boots(*sides.after, workload.after), "the kernel's instructions",
                  shown);
    return shown;
}

ConfirmedEffect find_effect(const ConfirmSides& sides, const MatchedWorkload& workload,
                            const ExpectedEffect& effect) {
    switch (effect.of) {
        case EffectOf::kTime:
            return time_effect(sides, workload, effect);
        case EffectOf::kInstructions:
            return instruction_effect(sides, workload, effect);
        case EffectOf::kCalls:
            break;
    }
    return count_effect(sides, workload, effect);
}

std::string title_of(const ConfirmedEffect& shown) {
    if (shown.of == EffectOf::kTime) return fmt::format("{} in {}", shown.name, shown.workload);
    return fmt::format("{} per {} in {}", shown.name, shown.operation, shown.workload);
}

// Something else came between the kernels that changes this workload, too.
std::string other_cause(const ConfirmSides& sides, const MatchedWorkload& workload) {
    if (sides.patch == nullptr || !sides.kernel_change) return "";
    for (const model::OtherCause& it : sides.patch->workload.other_causes)
        if (it.workload == workload.label) return "not attributed to the patch: " + it.because;
    return "";
}

void judge(const ConfirmSides& sides, const MatchedWorkload& workload, const ExpectedEffect& effect,
           FoundEffects& found) {
    ConfirmedEffect shown = find_effect(sides, workload, effect);
    const std::string cause = other_cause(sides, workload);
    if (!cause.empty()) {
        shown.judged = false;
        shown.note = cause;
    }
    if (shown.judged && shown.ratio) {
        MechanismEffect judged;
        judged.name = title_of(shown);
        judged.ratio = *shown.ratio;
        judged.falls = effect.falls;
        judged.is_time = effect.of == EffectOf::kTime;
        if (effect.of == EffectOf::kInstructions) judged.least_effect = kLeastInstructions;
        found.judged.push_back(judged);
    } else {
        found.reasons.push_back(fmt::format("{}: not judged: {}", title_of(shown), shown.note));
    }
    found.shown.push_back(std::move(shown));
}

// A target as it is, for the reader.
ExpectedEffect plain(const std::string& target) {
    ExpectedEffect effect;
    effect.name = target;
    effect.target = target;
    return effect;
}

bool is_whole_target(const ExpectedEffect& effect) {
    return !effect.value && effect.caller.empty() && effect.in.empty() &&
           effect.of == EffectOf::kCalls;
}

// Whether a judged effect tells the same already.
bool is_shown(const ConfirmSides& sides, const MatchedWorkload& workload,
              const std::string& target) {
    if (sides.patch == nullptr || workload.control) return false;
    return std::any_of(
        sides.patch->effects.begin(), sides.patch->effects.end(),
        [&](const ExpectedEffect& it) { return it.target == target && is_whole_target(it); });
}

void show(const ConfirmSides& sides, const MatchedWorkload& workload, FoundEffects& found) {
    for (const std::string& target : sides.before->targets) {
        if (is_shown(sides, workload, target)) continue;
        const auto& others = sides.after->targets;
        if (std::find(others.begin(), others.end(), target) == others.end()) continue;
        ConfirmedEffect shown = count_effect(sides, workload, plain(target));
        if (shown.before.operations == 0 && shown.after.operations == 0) continue;
        shown.judged = false;
        found.shown.push_back(std::move(shown));
    }
}

std::optional<model::Estimate> share_of(const model::Measurement& side, std::size_t workload,
                                        const std::string& target) {
    std::uint64_t in_target = 0;
    std::uint64_t all = 0;
    for (const RepetitionView& it : repetitions_of(side, workload, model::Mode::kSampled)) {
        if (!it.repetition->sampled) continue;
        // Without a row its samples cannot be told.
        for (const model::TargetSamples& found : it.repetition->sampled->in_targets) {
            if (found.target != target) continue;
            in_target += found.samples;
            all += it.repetition->sampled->samples;
        }
    }
    const auto share = proportion(in_target, all, kAlpha);
    if (!share) return std::nullopt;
    return *share;
}

}  // namespace

FoundEffects find_effects(const ConfirmSides& sides) {
    FoundEffects found;
    for (const MatchedWorkload& workload : sides.workloads) {
        if (!workload.problem.empty() || workload.control || sides.patch == nullptr) continue;
        for (const ExpectedEffect& effect : sides.patch->effects)
            judge(sides, workload, effect, found);
    }
    for (const MatchedWorkload& workload : sides.workloads)
        if (workload.problem.empty()) show(sides, workload, found);
    return found;
}

std::vector<model::CycleShare> find_shares(const ConfirmSides& sides) {
    std::vector<model::CycleShare> shares;
    for (const MatchedWorkload& workload : sides.workloads) {
        if (!workload.problem.empty()) continue;
        for (const std::string& target : sides.before->targets) {
            model::CycleShare share{target, workload.label, {}, {}};
            share.before = share_of(*sides.before, workload.before, target);
            share.after = share_of(*sides.after, workload.after, target);
            if (share.before || share.after) shares.push_back(std::move(share));
        }
    }
    return shares;
}

}  // namespace kcost
