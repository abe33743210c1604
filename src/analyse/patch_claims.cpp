#include "analyse/patch_claims.h"

namespace kcost {
namespace {

std::optional<PrintedFigure> printed(const std::optional<model::Printed>& figure) {
    if (!figure) return std::nullopt;
    return PrintedFigure{figure->value, figure->decimals, figure->spread};
}

SpreadKind spread_of(const model::Publication& publication) {
    if (publication.spread == "sd") return SpreadKind::kSd;
    return publication.spread == "se" ? SpreadKind::kSe : SpreadKind::kUnknown;
}

const char* word_of(Grade grade) {
    switch (grade) {
        case Grade::kStands:
            return "stands";
        case Grade::kNotDistinguishable:
            return "not distinguishable";
        case Grade::kWorse:
            return "worse";
        case Grade::kControl:
            return "control";
        case Grade::kSizeOnly:
            break;
    }
    return "size only";
}

// Before 40619, after 41529, of 47025: 910 of the 6406 that were lost.
std::optional<double> regained(const model::PublishedFigure& figure) {
    if (!figure.before || !figure.after || !figure.baseline) return std::nullopt;
    const double lost = figure.baseline->value - figure.before->value;
    if (lost == 0) return std::nullopt;
    return (figure.after->value - figure.before->value) / lost;
}

model::GradedFigure grade_figure(const model::Publication& publication,
                                 const model::PublishedFigure& figure) {
    const GradedClaim graded = grade_claim(claim_of(publication, figure));
    model::GradedFigure result;
    result.grade = word_of(graded.grade);
    result.change = graded.change;
    for (const Reading& it : graded.readings)
        result.readings.push_back({it.what, it.t, it.df, it.p, it.ratio});
    result.says = graded.says;
    result.regained = regained(figure);
    return result;
}

}  // namespace

Claim claim_of(const model::Publication& publication, const model::PublishedFigure& figure) {
    Claim claim;
    claim.name = figure.name;
    claim.before = printed(figure.before);
    claim.after = printed(figure.after);
    claim.change = figure.relative_change;
    claim.spread = spread_of(publication);
    claim.n = publication.n;
    claim.higher_is_better = figure.higher_is_better;
    claim.control = figure.control;
    return claim;
}

model::GradedPatch grade_patch(const model::Patch& patch) {
    model::GradedPatch graded{patch, {}};
    for (const model::Publication& publication : patch.published) {
        graded.publications.push_back({publication, {}});
        for (const model::PublishedFigure& figure : publication.figures)
            graded.publications.back().grades.push_back(grade_figure(publication, figure));
    }
    return graded;
}

}  // namespace kcost
