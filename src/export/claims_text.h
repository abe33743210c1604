// A patch's graded published figures, for people.
#pragma once

#include <string>

#include "model/graded_claims.h"

namespace kcost {

/// "± is a sample's standard deviation, n = 10": what a publication tells of its ±.
std::string spread_in_words(const model::Publication& publication);

/// "0.418 ± 0.001 -> 0.926 ± 0.000 M/s", or the change where only that was printed.
std::string figure_in_words(const model::PublishedFigure& figure);

std::string render_claims_text(const model::GradedPatch& graded);

}  // namespace kcost
