#include "export/doctor_json.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }

const char* word(Finding::State state) {
    switch (state) {
        case Finding::State::kOk:
            return "ok";
        case Finding::State::kBad:
            return "failed";
        case Finding::State::kSkipped:
            return "skipped";
    }
    return "";
}

Json finding(const Finding& found) {
    return {{"name", text(found.name)},
            {"state", word(found.state)},
            {"detail", text(found.detail)},
            {"remedy", text(found.remedy)}};
}

Json findings(const std::vector<Finding>& all) {
    Json array = Json::array();
    for (const Finding& found : all) array.push_back(finding(found));
    return array;
}

Json mechanisms(const std::vector<TriedMechanism>& tried) {
    Json array = Json::array();
    for (const TriedMechanism& mechanism : tried) {
        Json row = finding(mechanism.finding);
        row["floor_ns"] = mechanism.floor_ns ? Json(mechanism.floor_ns) : Json();
        array.push_back(std::move(row));
    }
    return array;
}

}  // namespace

std::string render_doctor_json(const Diagnosis& diagnosis) {
    Json machine = Json::object();
    for (const auto& [key, value] : diagnosis.machine) machine[bytes_to_utf8(key)] = text(value);
    const std::string& kernel = diagnosis.kernel_mechanism;
    const Json document = {
        {"kcost_version", text(diagnosis.kcost_version)},
        {"capabilities", findings(diagnosis.capabilities)},
        {"mechanisms", mechanisms(diagnosis.mechanisms)},
        {"kernel_mechanism", kernel.empty() ? Json() : Json(kernel)},
        {"emulated", text(diagnosis.emulated)},
        {"self_test", diagnosis.self_test ? findings(*diagnosis.self_test) : Json()},
        {"machine", std::move(machine)}};
    return document.dump(2) + '\n';
}

}  // namespace kcost
