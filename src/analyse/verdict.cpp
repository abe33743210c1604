#include "analyse/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyse/boots_needed.h"
#include "analyse/looks.h"
#include "analyse/verdict_parts.h"

namespace kcost {
namespace {

struct States {
    MechanismState mechanism = MechanismState::kNotMeasured;
    BenefitState benefit = BenefitState::kNotMeasured;
    ControlState control = ControlState::kNotMeasured;
};

// Text may not tell, but it must not say that the patch was there before, or is not there now.
bool may_be_introduced(const VerdictInput& input) {
    const bool before = input.before == Evidence::kAbsent || input.before == Evidence::kCannotTell;
    return before && input.after != Evidence::kAbsent;
}

// What caps the verdict, whatever was measured. Empty: nothing does.
std::vector<std::string> caps_of(const VerdictInput& input, ControlState control) {
    std::vector<std::string> caps;
    if (input.same_kernel) caps.emplace_back("it is the same kernel twice");
    if (input.scope == Scope::kKernelChange && !input.same_kernel)
        caps.emplace_back("the kernels differ in more than this patch");
    if (input.emulated) caps.emplace_back("emulated: time is not true, so no benefit is judged");
    for (const std::string& fact : input.times_differ)
        caps.push_back("times are not compared: these differ: " + fact);
    if (!may_be_introduced(input))
        caps.emplace_back("the kernels' text does not say that the patch came between them");
    else if (input.before == Evidence::kCannotTell || input.after == Evidence::kCannotTell)
        caps.emplace_back("a kernel's text does not tell whether it has the patch");
    else if (input.after == Evidence::kSuperseded)
        caps.emplace_back("what came between the kernels is what superseded the patch");
    const bool times = !input.emulated && input.times_differ.empty();
    if (times && control == ControlState::kNotMeasured)
        caps.emplace_back("a control was not measured");
    if (control == ControlState::kMoved) caps.emplace_back("a control moved");
    return caps;
}

// No number of boots would settle it.
Outcome undecided_for_ever(Verdict& verdict) {
    verdict.boots_needed.reset();
    return Outcome::kUndecided;
}

Outcome choose_for_same_kernel(const States& found, Verdict& verdict) {
    const bool moved =
        found.mechanism == MechanismState::kShown || found.mechanism == MechanismState::kContrary ||
        found.benefit == BenefitState::kBetter || found.benefit == BenefitState::kWorse;
    if (moved) {
        verdict.reasons.emplace_back(
            "the same kernel differs from itself: chance, or the machine or workload changed");
        return undecided_for_ever(verdict);
    }
    const bool unclear =
        found.mechanism == MechanismState::kUnclear || found.benefit == BenefitState::kUnclear;
    const bool nothing = found.mechanism == MechanismState::kNotMeasured &&
                         found.benefit == BenefitState::kNotMeasured;
    return unclear || nothing ? Outcome::kUndecided : Outcome::kNoEffect;
}

// The mechanism is shown, and may be the patch's.
Outcome choose_with_mechanism(const States& found, bool capped) {
    if (capped) return Outcome::kMechanismOnly;
    if (found.benefit == BenefitState::kUnclear) return Outcome::kUndecided;
    if (found.benefit != BenefitState::kBetter) return Outcome::kMechanismOnly;
    return found.control == ControlState::kEquivalent ? Outcome::kConfirmed : Outcome::kUndecided;
}

Outcome choose_without_mechanism(const States& found, Verdict& verdict) {
    const bool unclear =
        found.mechanism == MechanismState::kUnclear || found.benefit == BenefitState::kUnclear;
    const bool nothing = found.mechanism == MechanismState::kNotMeasured &&
                         found.benefit == BenefitState::kNotMeasured;
    if (found.mechanism == MechanismState::kNotMeasured)
        verdict.reasons.emplace_back("the mechanism was not measured");
    if (found.benefit == BenefitState::kBetter) {
        verdict.reasons.emplace_back("the workload gained, but not shown to be by the patch");
        return undecided_for_ever(verdict);
    }
    return unclear || nothing ? Outcome::kUndecided : Outcome::kNoEffect;
}

Outcome choose(const VerdictInput& input, const States& found, bool capped, Verdict& verdict) {
    if (input.same_kernel) return choose_for_same_kernel(found, verdict);
    // Whatever changed, it is not by this patch.
    if (!may_be_introduced(input)) return undecided_for_ever(verdict);
    if (found.mechanism == MechanismState::kContrary) return Outcome::kRegressed;
    if (found.benefit == BenefitState::kWorse && found.control == ControlState::kMoved)
        return undecided_for_ever(verdict);
    if (found.benefit == BenefitState::kWorse) return Outcome::kRegressed;
    if (found.mechanism == MechanismState::kShown) return choose_with_mechanism(found, capped);
    return choose_without_mechanism(found, verdict);
}

// Nothing of what was measured can be compared.
bool is_comparable(const VerdictInput& input) {
    if (!input.counts_differ.empty()) return false;
    return input.times_differ.empty() ||
           std::any_of(input.mechanism.begin(), input.mechanism.end(),
                       [](const MechanismEffect& effect) { return !effect.is_time; });
}

Verdict not_comparable(const VerdictInput& input) {
    Verdict verdict;
    verdict.outcome = Outcome::kNotComparable;
    for (const std::string& fact : input.counts_differ)
        verdict.reasons.push_back("nothing is compared: these differ: " + fact);
    for (const std::string& fact : input.times_differ)
        verdict.reasons.push_back("times are not compared: these differ: " + fact);
    return verdict;
}

void limit_boots(Verdict& verdict) {
    if (verdict.outcome != Outcome::kUndecided) verdict.boots_needed.reset();
    if (verdict.boots_needed.value_or(0) <= kMostBoots) return;
    verdict.boots_needed.reset();
    verdict.reasons.push_back(
        fmt::format("more than {} boots a side would be needed to settle it", kMostBoots));
}

}  // namespace

Result<Verdict> decide(const VerdictInput& input) {
    const auto alpha = level_of_look(input.look);
    if (!alpha) return tl::unexpected(alpha.error());
    if (!is_comparable(input)) return not_comparable(input);

    Verdict verdict;
    const bool times = !input.emulated && input.times_differ.empty();
    States found;
    found.mechanism = judge_mechanism(input, times, verdict);
    if (times) {
        found.benefit = judge_benefits(input, *alpha, verdict);
        found.control = judge_controls(input, *alpha, verdict);
    }
    const std::vector<std::string> caps = caps_of(input, found.control);
    verdict.outcome = choose(input, found, !caps.empty(), verdict);
    verdict.reasons.insert(verdict.reasons.end(), caps.begin(), caps.end());
    limit_boots(verdict);
    return verdict;
}

}  // namespace kcost
