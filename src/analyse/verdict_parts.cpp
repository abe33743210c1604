#include "analyse/verdict_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyse/boots_needed.h"
#include "analyse/holm.h"
#include "base/text.h"

namespace kcost {
namespace {

// The effect to look for where no patch claims one.
constexpr double kUnclaimedRatio = 1.01;

std::string percent(double ratio) { return format_change(ratio, 2); }

std::string interval(const Estimate& ratio) {
    return fmt::format("{} ({} to {})", percent(ratio.value), percent(ratio.low),
                       percent(ratio.high));
}

bool any(const auto& states, auto state) {
    return std::find(states.begin(), states.end(), state) != states.end();
}

bool all(const auto& states, auto state) {
    return std::all_of(states.begin(), states.end(), [&](auto s) { return s == state; });
}

MechanismState state_of(const MechanismEffect& effect) {
    // As if it were to fall.
    const double low = effect.falls ? effect.ratio.low : 1 / effect.ratio.high;
    const double high = effect.falls ? effect.ratio.high : 1 / effect.ratio.low;
    const double margin = 1 + effect.least_effect;
    if (high < 1 / margin) return MechanismState::kShown;
    if (low > margin) return MechanismState::kContrary;
    return low > 1 / margin && high < margin ? MechanismState::kUnchanged
                                             : MechanismState::kUnclear;
}

const char* name_of(MechanismState state) {
    switch (state) {
        case MechanismState::kShown:
            return "changed as the patch says";
        case MechanismState::kUnchanged:
            return "unchanged";
        case MechanismState::kContrary:
            return "changed to the contrary";
        default:
            return "not clear";
    }
}

// Growing the sides to the boots that find `ratio`, or if they have these, what was seen.
std::optional<std::size_t> boots_to_settle(const Comparison& comparison, double ratio) {
    const std::size_t have = std::min(comparison.boots_before, comparison.boots_after);
    const auto boots = boots_needed(comparison.spread, {.ratio = ratio});
    if (!boots || *boots > have) return boots;
    const auto for_seen = boots_needed(comparison.spread, {.ratio = comparison.ratio.value});
    const auto for_none = boots_for_equivalence(comparison.spread, equivalence_margin(ratio));
    // Whichever comes first: it is found, or shown not to be there.
    const std::size_t nearest =
        std::min(for_seen.value_or(kMostBoots + 1), for_none.value_or(kMostBoots + 1));
    if (nearest > kMostBoots) return std::nullopt;
    return std::max(nearest, have + 1);
}

// All that is unclear must be settled: the most boots.
void ask_for(std::optional<std::size_t> boots, Verdict& verdict) {
    verdict.boots_needed =
        std::max(verdict.boots_needed.value_or(0), boots.value_or(kMostBoots + 1));
}

void say_spread(const std::string& name, const Comparison& comparison, Verdict& verdict) {
    if (!comparison.few_boots && !comparison.no_spread) return;
    const char* why = comparison.few_boots ? "fewer than three boots on a side"
                                           : "no boot differs from another of its side";
    const char* from = comparison.spread.assumed ? "assumed" : "from this machine's A/A";
    verdict.reasons.push_back(
        fmt::format("{}: {}: a spread of boots was added, {}", name, why, from));
}

BenefitState state_of(const Benefit& benefit, Verdict& verdict) {
    const Comparison& comparison = *benefit.comparison;
    say_spread(benefit.name, comparison, verdict);
    const std::string found = fmt::format("{}: {}", benefit.name, interval(comparison.ratio));
    if (differs(comparison)) {
        const bool better = (comparison.ratio.value > 1) == benefit.higher_is_better;
        verdict.reasons.push_back(found + (better ? ": better" : ": worse"));
        return better ? BenefitState::kBetter : BenefitState::kWorse;
    }
    // Fewer than three boots show a difference or nothing.
    const double margin = equivalence_margin(benefit.claimed_ratio);
    if (!comparison.few_boots &&
        equivalence(comparison, margin).outcome == Equivalence::Outcome::kEquivalent) {
        verdict.reasons.push_back(
            fmt::format("{}: no effect beyond {:.1f}%", found, 100 * (margin - 1)));
        return BenefitState::kEqual;
    }
    verdict.reasons.push_back(found + ": may be none");
    ask_for(boots_to_settle(comparison, benefit.claimed_ratio.value_or(kUnclaimedRatio)), verdict);
    return BenefitState::kUnclear;
}

std::optional<double> greatest_claim(const VerdictInput& input) {
    std::optional<double> greatest;
    for (const Benefit& benefit : input.benefits)
        if (benefit.claimed_ratio &&
            equivalence_margin(benefit.claimed_ratio) >= equivalence_margin(greatest))
            greatest = benefit.claimed_ratio;
    return greatest;
}

ControlState state_of(const Control& control, const Equivalence& found, Verdict& verdict) {
    const std::string says = fmt::format("control {}: {}", control.name, interval(found.ratio));
    switch (found.outcome) {
        case Equivalence::Outcome::kEquivalent:
            return ControlState::kEquivalent;
        case Equivalence::Outcome::kMoved:
            verdict.reasons.push_back(says + ": moved");
            return ControlState::kMoved;
        case Equivalence::Outcome::kCannotTell:
            break;
    }
    verdict.reasons.push_back(
        fmt::format("{}: not shown to be within {:.1f}%", says, 100 * (found.margin - 1)));
    ask_for(boots_for_equivalence(control.comparison->spread, found.margin), verdict);
    return ControlState::kUnclear;
}

void apply_holm(std::vector<Benefit>& benefits, double alpha) {
    std::vector<Comparison> comparisons;
    for (const Benefit& benefit : benefits)
        if (benefit.comparison) comparisons.push_back(*benefit.comparison);
    apply_holm(comparisons, alpha);
    auto next = comparisons.begin();
    for (Benefit& benefit : benefits)
        if (benefit.comparison) benefit.comparison = *next++;
}

}  // namespace

MechanismState judge_mechanism(const VerdictInput& input, bool times, Verdict& verdict) {
    std::vector<MechanismState> states;
    for (const MechanismEffect& effect : input.mechanism) {
        if (effect.is_time && !times) continue;
        if (!effect.complete) {
            verdict.reasons.push_back(effect.name + ": hits were lost, so it shows nothing");
            continue;
        }
        states.push_back(state_of(effect));
        verdict.reasons.push_back(
            fmt::format("{}: {}: {}", effect.name, interval(effect.ratio), name_of(states.back())));
    }
    if (states.empty()) return MechanismState::kNotMeasured;
    if (any(states, MechanismState::kContrary)) return MechanismState::kContrary;
    if (any(states, MechanismState::kShown)) return MechanismState::kShown;
    return all(states, MechanismState::kUnchanged) ? MechanismState::kUnchanged
                                                   : MechanismState::kUnclear;
}

BenefitState judge_benefits(const VerdictInput& input, double alpha, Verdict& verdict) {
    verdict.benefits = input.benefits;
    apply_holm(verdict.benefits, alpha);
    std::vector<BenefitState> states;
    for (const Benefit& benefit : verdict.benefits) {
        if (benefit.comparison)
            states.push_back(state_of(benefit, verdict));
        else
            verdict.reasons.push_back(
                fmt::format("{}: not judged: {}", benefit.name, benefit.missing));
    }
    if (states.empty()) return BenefitState::kNotMeasured;
    if (any(states, BenefitState::kWorse)) return BenefitState::kWorse;
    if (any(states, BenefitState::kBetter)) return BenefitState::kBetter;
    return all(states, BenefitState::kEqual) ? BenefitState::kEqual : BenefitState::kUnclear;
}

ControlState judge_controls(const VerdictInput& input, double alpha, Verdict& verdict) {
    const double margin = equivalence_margin(greatest_claim(input));
    std::vector<ControlState> states;
    for (const Control& control : input.controls) {
        if (!control.comparison) {
            verdict.reasons.push_back(
                fmt::format("control {}: not judged: {}", control.name, control.missing));
            states.push_back(ControlState::kNotMeasured);
            continue;
        }
        const Comparison comparison = at_level(*control.comparison, alpha);
        verdict.controls.push_back(equivalence(comparison, margin));
        states.push_back(state_of(control, verdict.controls.back(), verdict));
    }
    for (ControlState state :
         {ControlState::kMoved, ControlState::kNotMeasured, ControlState::kUnclear})
        if (any(states, state)) return state;
    return states.empty() ? ControlState::kNotMeasured : ControlState::kEquivalent;
}

}  // namespace kcost
