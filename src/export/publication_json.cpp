#include "export/publication_json.h"

#include "base/text.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }
Json text_or_null(const std::string& bytes) { return bytes.empty() ? Json() : text(bytes); }

Json printed(const std::optional<model::Printed>& figure) {
    if (!figure) return {};
    return {{"value", figure->value},
            {"spread", figure->spread ? Json(*figure->spread) : Json()},
            {"decimals", figure->decimals},
            {"text", text(figure->text)}};
}

}  // namespace

Json publication_json(const model::Publication& it) {
    Json figures = Json::array();
    for (const model::PublishedFigure& figure : it.figures) {
        figures.push_back({{"name", text(figure.name)},
                           {"before", printed(figure.before)},
                           {"after", printed(figure.after)},
                           {"change", text_or_null(figure.change)},
                           {"baseline", printed(figure.baseline)},
                           {"unit", text(figure.unit)},
                           {"better", figure.higher_is_better ? "higher" : "lower"},
                           {"control", figure.control}});
    }
    return {{"machine", text(it.machine)},
            {"source", text(it.source)},
            {"spread", text(it.spread)},
            {"n", it.n ? Json(*it.n) : Json()},
            {"figures", std::move(figures)}};
}

}  // namespace kcost
