// "commit": a paragraph and two tables for a commit message or a mail. Every line is indented, so
// that nothing from outside can be read by git as a comment, a trailer or the end of the message.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/confirm_words.h"
#include "export/writeup.h"

namespace kcost {
namespace {

namespace words = confirm_words;
using model::Confirmation;

constexpr std::size_t kWidth = 72;  // of a commit message

// Broken between words.
void add_paragraph(std::string& out, const std::string& text) {
    const std::string safe = escape_for_terminal(text);
    std::string line = " ";
    for (std::string_view word : split(safe, ' ')) {
        if (line.size() > 1 && display_width(line) + 1 + display_width(word) > kWidth) {
            out += line + '\n';
            line = " ";
        }
        line += ' ';
        line += word;
    }
    out += line + '\n';
}

std::string fact(const Confirmation& it, std::string_view key) {
    for (const model::ComparedFact& fact : it.facts)
        if (fact.key == key) return fact.differs ? fact.before + ", " + fact.after : fact.before;
    return "";
}

std::string introduction(const Confirmation& it) {
    std::string text = fmt::format("Measured by kcost {}: {}.", KCOST_VERSION, it.verdict);
    for (const std::string& mark : words::marks(it)) text += fmt::format(" ({}.)", mark);
    text += fmt::format(" Linux {} before and {} after", it.before.release, it.after.release);
    const std::string model = fact(it, "cpu.model");
    if (!model.empty() && !model.starts_with("unknown")) text += ", on " + model;
    return text + fmt::format("; {} and {} boots, ± is the standard deviation of boots.",
                              it.before.boots, it.after.boots);
}

struct Row {
    std::string name, before, after, says;
};

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, display_width(text)), ' ');
}

void add_table(std::string& out, const std::vector<Row>& rows) {
    std::size_t name = 0, before = 0, after = 0;
    for (const Row& row : rows) {
        name = std::max(name, display_width(row.name));
        before = std::max(before, display_width(row.before));
        after = std::max(after, display_width(row.after));
    }
    for (const Row& row : rows) {
        std::string line = "    " + padded(row.name, name) + "  " + padded(row.before, before) +
                           "  " + padded(row.after, after) + "  " + row.says;
        while (line.ends_with(' ')) line.pop_back();
        out += escape_for_terminal(line) + '\n';
    }
}

std::string says(const model::ConfirmedMetric& metric) {
    std::string text = metric.control ? "control, " : "";
    if (metric.ratio) text += words::interval(*metric.ratio) + ", ";
    return text + (metric.missing.empty() ? metric.state : metric.state + ": " + metric.missing);
}

void add_metrics(std::string& out, const Confirmation& it) {
    std::vector<Row> rows = {{"", "before", "after", ""}};
    for (const model::ConfirmedMetric& metric : it.metrics) {
        const words::Figures figures = words::figures(metric);
        const std::string unit = figures.unit.empty() ? "" : " " + figures.unit;
        rows.push_back({metric.name, figures.before + unit, figures.after + unit, says(metric)});
    }
    if (rows.size() == 1) return;
    out += '\n';
    add_table(out, rows);
}

void add_effects(std::string& out, const Confirmation& it) {
    std::vector<Row> rows;
    for (const model::ConfirmedEffect& effect : it.effects) {
        if (!effect.judged) continue;
        Row row{words::title(effect), "", "", effect.ratio ? words::interval(*effect.ratio) : ""};
        if (effect.before.rate) row.before = fmt::format("{:.4g}", effect.before.rate->value);
        if (effect.after.rate) row.after = fmt::format("{:.4g}", effect.after.rate->value);
        if (effect.before_mean) row.before = words::mean(effect, *effect.before_mean);
        if (effect.after_mean) row.after = words::mean(effect, *effect.after_mean);
        rows.push_back(std::move(row));
    }
    if (rows.empty()) return;
    out += '\n';
    add_table(out, rows);
}

void add_rest(std::string& out, const Confirmation& it) {
    std::vector<std::string> lines;
    if (it.patch)
        lines.push_back(fmt::format("By the kernels' text the patch is {} before and {} after.",
                                    words::evidence(it.before.finding),
                                    words::evidence(it.after.finding)));
    for (const std::string& line : it.unattributed)
        lines.push_back("Not told apart: " + line + ".");
    if (it.boots_needed)
        lines.push_back(fmt::format("{} boots a side would settle it.", *it.boots_needed));
    if (it.metrics.empty() && it.effects.empty())
        lines.insert(lines.end(), it.reasons.begin(), it.reasons.end());
    for (const std::string& line : lines) {
        out += '\n';
        add_paragraph(out, line);
    }
}

std::string render(const Confirmation& it) {
    std::string out;
    add_paragraph(out, introduction(it));
    add_metrics(out, it);
    add_effects(out, it);
    if (it.verdict == "not comparable") {
        out += '\n';
        for (const std::string& reason : it.reasons) add_paragraph(out, reason);
    }
    add_rest(out, it);
    return out;
}

}  // namespace

extern const Writeup kWriteupCommit = {"commit", "text for a commit message", render};

}  // namespace kcost
