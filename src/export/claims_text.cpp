#include "export/claims_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace kcost {
namespace {

std::string regained_in_words(const model::PublishedFigure& figure, double regained) {
    return fmt::format("without what the patch makes cheaper {} {}: {:.1f}% of the loss came back",
                       figure.baseline->text, figure.unit, 100 * regained);
}

void add_figure(std::string& out, const model::PublishedFigure& figure,
                const model::GradedFigure& grade) {
    out += fmt::format("  {}{}: {}\n", escape_for_terminal(figure.name),
                       figure.control ? " (control)" : "",
                       escape_for_terminal(figure_in_words(figure)));
    out += fmt::format("      {}\n", escape_for_terminal(grade.says));
    if (grade.regained)
        out += fmt::format("      {}\n",
                           escape_for_terminal(regained_in_words(figure, *grade.regained)));
}

}  // namespace

std::string spread_in_words(const model::Publication& publication) {
    if (publication.spread != "sd" && publication.spread != "se") return "no spread was published";
    const std::string n = publication.n ? fmt::format("n = {}", *publication.n) : "n not told";
    const bool sd = publication.spread == "sd";
    return fmt::format("± is {}, {}", sd ? "a sample's standard deviation" : "a standard error", n);
}

std::string figure_in_words(const model::PublishedFigure& figure) {
    if (!figure.before || !figure.after) return figure.change;
    return fmt::format("{} -> {} {}", figure.before->text, figure.after->text, figure.unit);
}

std::string render_claims_text(const model::GradedPatch& graded) {
    std::string out = fmt::format("{}: {}\n", escape_for_terminal(graded.patch.slug),
                                  escape_for_terminal(graded.patch.title));
    out += "published figures alone, graded by what they say themselves; nothing was measured\n";
    if (graded.publications.empty()) out += "\nno figure was published\n";
    for (const model::GradedPublication& it : graded.publications) {
        const model::Publication& publication = it.publication;
        out += fmt::format("\n{}\n", escape_for_terminal(publication.machine));
        for (std::size_t i = 0; i < it.grades.size(); ++i)
            add_figure(out, publication.figures.at(i), it.grades[i]);
        out += fmt::format("  {}; {}\n", spread_in_words(publication),
                           escape_for_terminal(publication.source));
    }
    return out;
}

}  // namespace kcost
