// "text": what confirm found, for a terminal. What comes from outside is escaped.
#include <fmt/format.h>

#include "base/text.h"
#include "export/confirm_words.h"
#include "export/writeup.h"

namespace kcost {
namespace {

namespace words = confirm_words;
using model::Confirmation;

void add_line(std::string& out, std::size_t indent, const std::string& text) {
    out += std::string(indent, ' ') + escape_for_terminal(text) + '\n';
}

// A heading and its lines; nothing where there are none.
void add_list(std::string& out, const char* heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out += fmt::format("\n{}\n", heading);
    for (const std::string& line : lines) add_line(out, 2, "- " + line);
}

void add_verdict(std::string& out, const Confirmation& it) {
    const std::string slug = it.patch ? it.patch->patch.slug + ": " : "";
    std::string marks;
    for (const std::string& mark : words::marks(it)) marks += " [" + mark + "]";
    add_line(out, 0, slug + it.verdict + marks);
    if (it.patch) add_line(out, 0, it.patch->patch.title);
    add_list(out, "because", it.reasons);
    if (it.boots_needed)
        add_line(out, 2, fmt::format("- {} boots a side would settle it", *it.boots_needed));
    add_line(out, 2, fmt::format("- look {} of {}", it.look, it.most_looks));
}

void add_side(std::string& out, const char* which, const model::ConfirmedSide& side, bool patch) {
    add_line(out, 0, fmt::format("{:<8}Linux {}, {}", which, side.release, side.file));
    add_line(out, 8, words::measured(side));
    if (patch)
        add_line(
            out, 8,
            fmt::format("the patch is {}: {}", words::evidence(side.finding), side.finding.why));
    for (const std::string& note : side.notes) add_line(out, 8, "- " + note);
}

std::string counted(const model::CountedSide& side) {
    const std::string lost = side.lost > 0 ? fmt::format(" (and {} lost)", side.lost) : "";
    return fmt::format("{}{} in {}", side.events, lost, side.operations);
}

void add_effect(std::string& out, const model::ConfirmedEffect& effect) {
    add_line(out, 2, words::title(effect) + (effect.judged ? "" : " (not judged)"));
    if (effect.before_mean && effect.after_mean)
        add_line(out, 6,
                 fmt::format("{} -> {}", words::mean(effect, *effect.before_mean),
                             words::mean(effect, *effect.after_mean)));
    if (effect.before.rate && effect.after.rate)
        add_line(out, 6,
                 fmt::format("{} -> {}", words::rate(*effect.before.rate),
                             words::rate(*effect.after.rate)));
    const bool calls = effect.of == model::EffectOf::kCalls;
    if (calls && effect.before.operations > 0 && effect.after.operations > 0)
        add_line(out, 6,
                 fmt::format("{}; {}; by {}, {}", counted(effect.before), counted(effect.after),
                             effect.before.mechanism, effect.after.mechanism));
    if (effect.ratio) add_line(out, 6, "after / before: " + words::interval(*effect.ratio));
    if (!effect.note.empty()) add_line(out, 6, effect.note);
}

void add_shares(std::string& out, const Confirmation& it) {
    if (it.shares.empty()) return;
    out += "\nshare of cycles, sampled (not judged)\n";
    for (const model::CycleShare& share : it.shares) {
        const auto text = [](const auto& estimate) {
            return estimate ? words::share(*estimate) : std::string("not sampled");
        };
        add_line(out, 2,
                 fmt::format("{} in {}: {} -> {}", share.target, share.workload, text(share.before),
                             text(share.after)));
    }
}

void add_metric(std::string& out, const Confirmation& it, const model::ConfirmedMetric& metric) {
    const words::Figures figures = words::figures(metric);
    add_line(
        out, 2,
        fmt::format("{}: {} -> {} {}", metric.name, figures.before, figures.after, figures.unit));
    if (metric.ratio)
        add_line(out, 6,
                 fmt::format("{}, at {:.1f}%: {} (p = {:.2g}{})", words::interval(*metric.ratio),
                             100 * metric.level, metric.state, metric.p,
                             metric.permutation_p
                                 ? fmt::format(", by permutation {:.2g}", *metric.permutation_p)
                                 : ""));
    else
        add_line(out, 6,
                 metric.missing.empty() ? metric.state : metric.state + ": " + metric.missing);
    for (const model::RelativeRatio& relative : metric.relative)
        add_line(out, 6,
                 fmt::format("as a ratio to {}: {}", relative.control,
                             relative.ratio ? words::interval(*relative.ratio) : relative.missing));
    for (const std::string& published : words::published(it, metric.name))
        add_line(out, 6, "published: " + published);
}

void add_metrics(std::string& out, const Confirmation& it, bool controls) {
    bool any = false;
    for (const model::ConfirmedMetric& metric : it.metrics) {
        if (metric.control != controls) continue;
        if (!any)
            out += controls ? "\ncontrols, which must not change\n"
                            : "\nbenefit, nothing attached; ± is the sd of boots\n";
        any = true;
        add_metric(out, it, metric);
    }
}

void add_facts(std::string& out, const Confirmation& it) {
    std::size_t same = 0;
    std::vector<std::string> differ;
    for (const model::ComparedFact& fact : it.facts) {
        if (!fact.differs) ++same;
        if (fact.differs)
            differ.push_back(fmt::format("{}: {} -> {}", fact.key, fact.before, fact.after));
    }
    add_list(out, "facts of the machine that differ", differ);
    if (!it.facts.empty())
        add_line(out, 2, fmt::format("{} others are the same; --format json has all", same));
}

void add_evidence(std::string& out, const char* which, const model::PatchFinding& finding) {
    for (const model::FactFinding& fact : finding.facts) {
        const char* value = fact.value == model::FactFinding::Value::kYes  ? "yes"
                            : fact.value == model::FactFinding::Value::kNo ? "no"
                                                                           : "cannot tell";
        const std::string where = fact.where.empty() ? "" : fact.where + " ";
        add_line(out, 2, fmt::format("{}: {}{}: {}", which, where, fact.claim, value));
        for (const model::ShownInstruction& shown : fact.instructions)
            add_line(out, 6,
                     fmt::format("{:<36}  {:08x}  {}", shown.place, shown.word, shown.text));
    }
}

std::string render(const Confirmation& it) {
    std::string out;
    add_verdict(out, it);
    out += '\n';
    add_side(out, "before", it.before, it.patch.has_value());
    add_side(out, "after", it.after, it.patch.has_value());
    if (!it.effects.empty()) out += "\nthe hot path itself\n";
    for (const model::ConfirmedEffect& effect : it.effects) add_effect(out, effect);
    add_shares(out, it);
    add_metrics(out, it, false);
    add_metrics(out, it, true);
    add_list(out, "published of other work", words::published_otherwise(it));
    add_list(out, "what cannot be attributed to the patch", it.unattributed);
    add_list(out, "notes", it.notes);
    add_facts(out, it);
    const bool shown = !it.before.finding.facts.empty() || !it.after.finding.facts.empty();
    if (shown) out += "\nevidence, from the kernels' text and types\n";
    add_evidence(out, "before", it.before.finding);
    add_evidence(out, "after", it.after.finding);
    return out;
}

}  // namespace

extern const Writeup kWriteupText = {"text", "all of it, for a terminal", render};

}  // namespace kcost
