#include "analyse/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyse/confirm_effects.h"
#include "analyse/confirm_evidence.h"
#include "analyse/confirm_looks.h"
#include "analyse/confirm_metrics.h"
#include "analyse/confirm_sides.h"
#include "analyse/looks.h"
#include "analyse/patch_claims.h"

namespace kcost {
namespace {

using model::Confirmation;
using model::Measurement;

Result<void> check_side(const Measurement& side, const std::string& file) {
    if (side.sessions.empty())
        return fail(fmt::format("cannot confirm by {}: no session is in it", file),
                    "kcost measure WORKLOAD -o " + file);
    for (const model::MeasuredSession& session : side.sessions)
        if (!(session.kernel == side.sessions.front().kernel))
            return fail(
                fmt::format("cannot confirm by {}: its sessions ran on several kernels: {} "
                            "and {}",
                            file, side.sessions.front().kernel.release, session.kernel.release),
                "measure each kernel into a file of its own");
    return {};
}

Evidence verdict_evidence(model::Evidence evidence) {
    switch (evidence) {
        case model::Evidence::kPresent:
            return Evidence::kPresent;
        case model::Evidence::kAbsent:
            return Evidence::kAbsent;
        case model::Evidence::kSuperseded:
            return Evidence::kSuperseded;
        case model::Evidence::kCannotTell:
            break;
    }
    return Evidence::kCannotTell;
}

const char* word_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::kConfirmed:
            return "confirmed";
        case Outcome::kMechanismOnly:
            return "mechanism only";
        case Outcome::kNoEffect:
            return "no effect";
        case Outcome::kRegressed:
            return "regressed";
        case Outcome::kUndecided:
            return "undecided";
        case Outcome::kNotComparable:
            break;
    }
    return "not comparable";
}

// What a side needs of the other is not the same work: nothing is compared then.
void add_workload_differences(ConfirmSides& sides) {
    for (const MatchedWorkload& workload : sides.workloads)
        if (workload.settings_differ && !workload.control)
            sides.machines.counts_differ.push_back(
                fmt::format("{}: {}", workload.label, workload.problem));
    const bool any =
        std::any_of(sides.workloads.begin(), sides.workloads.end(),
                    [](const MatchedWorkload& it) { return !it.control && !it.only_on_one_side; });
    if (!any)
        sides.machines.counts_differ.emplace_back(
            "no work that the patch may change was measured on both sides");
}

void add_unattributed(const ConfirmSides& sides, const OtherPatches& others,
                      Confirmation& confirmation) {
    auto& lines = confirmation.unattributed;
    for (const std::string& differs : others.differ)
        lines.push_back(differs + ": what it changes is not told apart from this patch");
    if (!others.unclear.empty())
        lines.push_back(fmt::format("whether these differ, too, cannot be told: {}",
                                    fmt::join(others.unclear, ", ")));
    if (!sides.kernel_change || sides.patch == nullptr) return;
    for (const model::OtherCause& it : sides.patch->workload.other_causes)
        lines.push_back(fmt::format("{}: {}", it.workload, it.because));
}

void add_notes(const ConfirmSides& sides, Confirmation& confirmation) {
    auto& notes = confirmation.notes;
    notes = sides.machines.notes;
    if (sides.patch == nullptr) notes.emplace_back("no patch is named: --patch SLUG");
    if (confirmation.emulated)
        notes.emplace_back("time is not true: emulated. Counts and the kernels' text are");
    for (std::string& note : sampling_notes(*sides.before, *sides.after))
        notes.push_back(std::move(note));
    for (const char* which : {"before", "after"}) {
        const bool before = which[0] == 'b';
        for (std::string& drift : drifts_of(before ? *sides.before : *sides.after, which))
            notes.push_back(std::move(drift));
    }
}

void describe_sides(const ConfirmInput& input, Confirmation& confirmation) {
    confirmation.before = sum_up(*input.before);
    confirmation.after = sum_up(*input.after);
    confirmation.before.file = input.before_file;
    confirmation.after.file = input.after_file;
    const std::string slug = input.patch != nullptr ? input.patch->slug : "";
    if (slug.empty()) return;
    confirmation.before.finding = finding_of(*input.before, slug);
    confirmation.after.finding = finding_of(*input.after, slug);
}

// Another machine's boots say nothing of this one's.
void take_aa(const ConfirmInput& input, ConfirmSides& sides) {
    if (input.aa == nullptr) return;
    const auto before = compare_machines(*input.aa, *input.before).times_differ;
    const auto after = compare_machines(*input.aa, *input.after).times_differ;
    if (before.empty() || after.empty())
        sides.aa = input.aa;
    else
        sides.machines.notes.push_back("the A/A does not serve, since it is of another machine: " +
                                       before.front());
}

ConfirmSides sides_of(const ConfirmInput& input, const OtherPatches& others) {
    ConfirmSides sides;
    sides.before = input.before;
    sides.after = input.after;
    sides.patch = input.patch;
    sides.machines = compare_machines(*input.before, *input.after);
    take_aa(input, sides);
    sides.kernel_change = !sides.machines.same_kernel &&
                          (!sides.machines.same_release_and_config || !others.differ.empty());
    if (const auto level = level_of_look(number_of_look(*input.before, *input.after)))
        sides.alpha = *level;
    sides.workloads = match_workloads(*input.before, *input.after);
    add_workload_differences(sides);
    return sides;
}

VerdictInput verdict_input(const ConfirmSides& sides, const Confirmation& confirmation) {
    VerdictInput input;
    input.scope = sides.kernel_change ? Scope::kKernelChange : Scope::kPatch;
    input.same_kernel = sides.machines.same_kernel;
    input.emulated = sides.machines.emulated;
    input.look = number_of_look(*sides.before, *sides.after);
    input.before = verdict_evidence(confirmation.before.finding.evidence);
    input.after = verdict_evidence(confirmation.after.finding.evidence);
    input.counts_differ = sides.machines.counts_differ;
    input.times_differ = sides.machines.times_differ;
    return input;
}

void tell_verdict(const Verdict& verdict, Confirmation& confirmation) {
    confirmation.verdict = word_of(verdict.outcome);
    confirmation.exit_status = static_cast<int>(verdict.outcome);
    confirmation.boots_needed = verdict.boots_needed;
    confirmation.reasons.insert(confirmation.reasons.begin(), verdict.reasons.begin(),
                                verdict.reasons.end());
}

}  // namespace

Result<model::Confirmation> confirm(const ConfirmInput& input) {
    for (const auto& [side, file] :
         {std::pair(input.before, input.before_file), std::pair(input.after, input.after_file)}) {
        const auto checked = check_side(*side, file);
        if (!checked) return tl::unexpected(checked.error());
    }
    if (input.aa != nullptr) {
        const auto checked = check_side(*input.aa, input.aa_file);
        if (!checked) return tl::unexpected(checked.error());
    }
    const std::string slug = input.patch != nullptr ? input.patch->slug : "";
    const OtherPatches others = other_patches(*input.before, *input.after, slug);
    const ConfirmSides sides = sides_of(input, others);

    Confirmation confirmation;
    describe_sides(input, confirmation);
    if (input.patch != nullptr) confirmation.patch = grade_patch(*input.patch);
    confirmation.kernel_change = sides.kernel_change;
    confirmation.same_kernel = sides.machines.same_kernel;
    confirmation.emulated = sides.machines.emulated;
    confirmation.facts = sides.machines.facts;
    add_unattributed(sides, others, confirmation);
    add_notes(sides, confirmation);

    VerdictInput asked = verdict_input(sides, confirmation);
    FoundEffects effects = find_effects(sides);
    FoundMetrics metrics = find_metrics(sides);
    asked.mechanism = effects.judged;
    asked.benefits = metrics.benefits;
    asked.controls = metrics.controls;
    const auto verdict = decide(asked);
    if (!verdict) return tl::unexpected(verdict.error());
    settle(*verdict, asked, metrics);
    confirmation.look = asked.look;
    confirmation.most_looks = kMostLooks;
    confirmation.reasons = std::move(effects.reasons);
    tell_verdict(*verdict, confirmation);
    confirmation.effects = std::move(effects.shown);
    confirmation.shares = find_shares(sides);
    confirmation.metrics = std::move(metrics.shown);
    return confirmation;
}

Result<std::string> patch_of(const Measurement& before, const Measurement& after) {
    if (before.patch == after.patch || after.patch.empty()) return before.patch;
    if (before.patch.empty()) return after.patch;
    return fail(fmt::format("the measurements are of different patches: {} before, {} after",
                            before.patch, after.patch),
                "name one: --patch SLUG", ExitCode::kUsage);
}

}  // namespace kcost
