// "html": one page that holds all of itself: no script, no picture or font from elsewhere, and a
// policy that forbids them. What comes from outside is escaped.
#include <fmt/format.h>

#include "base/text.h"
#include "export/confirm_svg.h"
#include "export/confirm_words.h"
#include "export/html.h"
#include "export/writeup.h"

namespace kcost {
namespace {

namespace words = confirm_words;
using model::Confirmation;

constexpr const char* kHead =
    R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
)";

constexpr const char* kStyle =
    R"(<style>
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --dim: #666; --line: #ccc;
  --good: #1a7f37; --bad: #b3261e; --before: #9a5b00; --after: #0b62b8; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --dim: #9a9a9a;
  --line: #444; --good: #56c271; --bad: #ff7b72; --before: #e3a34f; --after: #6cb2f5;
  --mark: #4a3d00; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 900px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: 0; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .2em .8em .2em 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.verdict { font-weight: bold; } .good { color: var(--good); } .bad { color: var(--bad); }
.dim { color: var(--dim); } .mark, tr.differs { background: var(--mark); }
code, pre { font: 12px/1.4 ui-monospace, monospace; overflow-x: auto; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
svg .label { text-anchor: end; } svg .tick { text-anchor: middle; fill: var(--dim); }
svg line { stroke: var(--line); } svg .one { stroke: var(--ink); }
svg line.effect { stroke: var(--after); stroke-width: 3; }
svg line.control { stroke: var(--dim); stroke-width: 3; } svg circle.effect { fill: var(--after); }
svg circle.control, svg .arrow { fill: var(--dim); }
svg line.before, svg line.after { stroke-width: 2; } svg line.before { stroke: var(--before); }
svg line.after { stroke: var(--after); } svg circle { fill-opacity: .6; }
svg circle.before { fill: var(--before); } svg circle.after { fill: var(--after); }
</style>
)";

std::string cell(const std::string& text) { return "<td>" + escape_for_html(text) + "</td>"; }

std::string row(const std::vector<std::string>& cells, const char* kind = "") {
    std::string out = *kind ? fmt::format("<tr class=\"{}\">", kind) : "<tr>";
    for (const std::string& text : cells) out += cell(text);
    return out + "</tr>\n";
}

std::string head(const std::vector<std::string>& cells) {
    std::string out = "<tr>";
    for (const std::string& text : cells) out += "<th>" + escape_for_html(text) + "</th>";
    return out + "</tr>\n";
}

std::string list(const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string out = "<ul>\n";
    for (const std::string& line : lines) out += "<li>" + escape_for_html(line) + "</li>\n";
    return out + "</ul>\n";
}

std::string section(const char* heading, const std::string& inside) {
    return inside.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", heading, inside);
}

std::string table(const std::string& rows) { return "<table>\n" + rows + "</table>\n"; }

// Confirmed, regressed, or neither.
const char* colour_of(const Confirmation& it) {
    if (it.verdict == "confirmed") return "good";
    return it.verdict == "regressed" ? "bad" : "";
}

std::string verdict(const Confirmation& it) {
    const std::string name = it.patch ? it.patch->patch.title : "Two kernels";
    std::string out =
        fmt::format("<h1>{}</h1>\n<p class=\"verdict {}\">{}</p>\n", escape_for_html(name),
                    colour_of(it), escape_for_html(it.verdict));
    for (const std::string& mark : words::marks(it))
        out += fmt::format("<p class=\"mark\">{}</p>\n", escape_for_html(mark));
    std::vector<std::string> reasons = it.reasons;
    if (it.boots_needed)
        reasons.push_back(fmt::format("{} boots a side would settle it", *it.boots_needed));
    reasons.push_back(fmt::format("look {} of {}", it.look, it.most_looks));
    return out + list(reasons);
}

std::string sides(const Confirmation& it) {
    std::string rows = head({"", "before", "after"});
    const auto both = [&](const char* name, auto of) {
        rows += row({name, of(it.before), of(it.after)});
    };
    using Side = const model::ConfirmedSide&;
    both("kernel", [](Side side) { return "Linux " + side.release; });
    both("build", [](Side side) { return side.build_id; });
    both("measured", [](Side side) { return words::measured(side); });
    both("file", [](Side side) { return side.file; });
    if (it.patch)
        both("the patch",
             [](Side side) { return words::evidence(side.finding) + ": " + side.finding.why; });
    return section("What was compared", table(rows));
}

std::string rate(const model::ConfirmedEffect& effect, const model::CountedSide& side,
                 const std::optional<double>& mean) {
    if (mean) return words::mean(effect, *mean);
    if (!side.rate || side.operations == 0) return "-";
    return fmt::format("{}: {} in {} by {}", words::rate(*side.rate), side.events, side.operations,
                       side.mechanism);
}

std::string effects(const Confirmation& it) {
    if (it.effects.empty()) return "";
    std::string rows = head({"", "before", "after", "after / before", ""});
    for (const model::ConfirmedEffect& effect : it.effects) {
        const char* judged = effect.judged ? "" : "not judged";
        const std::string note = effect.note.empty() ? judged : effect.note;
        rows += row({words::title(effect), rate(effect, effect.before, effect.before_mean),
                     rate(effect, effect.after, effect.after_mean),
                     effect.ratio ? words::interval(*effect.ratio) : "-", note},
                    effect.judged ? "" : "dim");
    }
    return section("The hot path itself", table(rows));
}

std::string shares(const Confirmation& it) {
    if (it.shares.empty()) return "";
    std::string rows = head({"", "before", "after"});
    const auto text = [](const auto& share) { return share ? words::share(*share) : "-"; };
    for (const model::CycleShare& share : it.shares)
        rows +=
            row({share.target + " in " + share.workload, text(share.before), text(share.after)});
    return section("Share of cycles, sampled", table(rows));
}

std::string beside(const Confirmation& it, const model::ConfirmedMetric& metric) {
    std::vector<std::string> lines;
    for (const model::RelativeRatio& found : metric.relative)
        lines.push_back(fmt::format("as a ratio to {}: {}", found.control,
                                    found.ratio ? words::interval(*found.ratio) : found.missing));
    for (const std::string& published : words::published(it, metric.name))
        lines.push_back("published: " + published);
    return list(lines);
}

std::string metric(const Confirmation& it, const model::ConfirmedMetric& metric) {
    const words::Figures figures = words::figures(metric);
    std::string rows = head({"", "before", "after", "after / before", ""});
    const std::string level = metric.ratio ? fmt::format(", at {:.1f}%", 100 * metric.level) : "";
    rows += row({metric.name + (metric.control ? " (control)" : ""),
                 figures.before + " " + figures.unit, figures.after + " " + figures.unit,
                 metric.ratio ? words::interval(*metric.ratio) + level : "-",
                 metric.missing.empty() ? metric.state : metric.state + ": " + metric.missing});
    return table(rows) + beside(it, metric) + draw_points(metric);
}

std::string metrics(const Confirmation& it) {
    std::string out;
    for (const model::ConfirmedMetric& found : it.metrics) out += metric(it, found);
    if (out.empty()) return out;
    return section("Benefit and controls",
                   "<p class=\"dim\">Nothing was attached. ± is the sd of boots. Each point is a "
                   "repetition, each column a boot, before and then after.</p>\n" +
                       out);
}

std::string facts(const Confirmation& it) {
    if (it.facts.empty()) return "";
    std::string rows = head({"", "before", "after", "needed for"});
    for (const model::ComparedFact& fact : it.facts)
        rows += row({fact.key, fact.before, fact.after, fact.needed_for},
                    fact.differs ? "differs" : "");
    return section("The machine", table(rows));
}

std::string evidence(const char* which, const model::PatchFinding& finding) {
    std::string out;
    for (const model::FactFinding& fact : finding.facts) {
        const char* value = fact.value == model::FactFinding::Value::kYes  ? "yes"
                            : fact.value == model::FactFinding::Value::kNo ? "no"
                                                                           : "cannot tell";
        out += fmt::format("<p>{}: {} {}: {}</p>\n", which, escape_for_html(fact.where),
                           escape_for_html(fact.claim), value);
        if (fact.instructions.empty()) continue;
        out += "<pre>";
        for (const model::ShownInstruction& shown : fact.instructions)
            out += escape_for_html(
                       fmt::format("{:<36}  {:08x}  {}", shown.place, shown.word, shown.text)) +
                   '\n';
        out += "</pre>\n";
    }
    return out;
}

std::vector<std::string> all_notes(const Confirmation& it) {
    std::vector<std::string> notes = it.notes;
    for (const std::string& note : it.before.notes) notes.push_back("before: " + note);
    for (const std::string& note : it.after.notes) notes.push_back("after: " + note);
    return notes;
}

std::string render(const Confirmation& it) {
    std::string out = kHead;
    out += fmt::format("<title>{}: {}</title>\n",
                       escape_for_html(it.patch ? it.patch->patch.slug : "kcost confirm"),
                       escape_for_html(it.verdict));
    out += kStyle;
    out += "</head><body>\n";
    out += verdict(it) + section("Intervals", draw_intervals(it)) + sides(it) + effects(it) +
           shares(it) + metrics(it);
    out += section("Published of other work", list(words::published_otherwise(it)));
    out += section("What cannot be attributed to the patch", list(it.unattributed));
    out += section("Notes", list(all_notes(it))) + facts(it);
    out += section("Evidence, from the kernels' text and types",
                   evidence("before", it.before.finding) + evidence("after", it.after.finding));
    return out + fmt::format("<p class=\"dim\">kcost {}</p>\n</body></html>\n", KCOST_VERSION);
}

}  // namespace

extern const Writeup kWriteupHtml = {"html", "one page with pictures and every raw point", render};

}  // namespace kcost
