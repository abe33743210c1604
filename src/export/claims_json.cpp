#include "export/claims_json.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "export/publication_json.h"
#include "export/statistics_json.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;

Json reading(const model::ClaimReading& it) {
    return {{"what", bytes_to_utf8(it.what)},
            {"t", number_json(it.t)},
            {"df", number_json(it.df)},
            {"p", number_json(it.p)},
            {"ratio", estimate_json(it.ratio)}};
}

Json grade(const model::PublishedFigure& figure, const model::GradedFigure& it) {
    Json readings = Json::array();
    for (const model::ClaimReading& found : it.readings) readings.push_back(reading(found));
    return {{"name", bytes_to_utf8(figure.name)},
            {"grade", it.grade},
            {"relative_change", it.change ? number_json(*it.change) : Json()},
            {"regained", it.regained ? number_json(*it.regained) : Json()},
            {"says", bytes_to_utf8(it.says)},
            {"readings", std::move(readings)}};
}

}  // namespace

std::string render_claims_json(const model::GradedPatch& graded) {
    Json published = Json::array();
    for (const model::GradedPublication& it : graded.publications) {
        Json grades = Json::array();
        for (std::size_t i = 0; i < it.grades.size(); ++i)
            grades.push_back(grade(it.publication.figures.at(i), it.grades[i]));
        Json publication = publication_json(it.publication);
        publication["grades"] = std::move(grades);
        published.push_back(std::move(publication));
    }
    const Json document = {{"kcost_version", KCOST_VERSION},
                           {"slug", bytes_to_utf8(graded.patch.slug)},
                           {"title", bytes_to_utf8(graded.patch.title)},
                           {"published", std::move(published)}};
    return document.dump(2) + '\n';
}

}  // namespace kcost
