#include "export/ticks_json.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }

// "spread": what the ± is.
Json rate(const model::Rate& rate) {
    return {{"mean_per_s", rate.mean_per_s},
            {"sd_per_s", rate.n > 1 ? Json(rate.sd_per_s) : Json()},
            {"spread", "sd"},
            {"n", rate.n}};
}

Json tick(const model::Ticks& ticks, const model::Tick& one) {
    Json units = Json::object();
    for (std::size_t i = 0; i < ticks.cpus.size(); i++) {
        units[std::to_string(ticks.cpus[i])] = one.units.at(i);
    }
    return {{"elapsed_ns", one.elapsed_ns}, {"units", std::move(units)}};
}

Json per_cpu(const model::Ticks& ticks) {
    Json object = Json::object();
    for (std::size_t i = 0; i < ticks.cpus.size(); i++) {
        object[std::to_string(ticks.cpus[i])] = rate(rate_of_cpu(ticks, i));
    }
    return object;
}

Json proof(const model::Proof& proof) {
    if (proof.what.empty()) return {};
    return {{"what", text(proof.what)},
            {"counted", proof.counted},
            {"units", proof.units},
            {"doubtful", is_doubtful(proof)}};
}

}  // namespace

std::string render_ticks_json(const model::Ticks& ticks, const model::Machine& machine) {
    Json raw = Json::array();
    for (const model::Tick& one : ticks.ticks) raw.push_back(tick(ticks, one));
    Json notes = Json::array();
    for (const std::string& note : ticks.notes) notes.push_back(text(note));
    Json facts = Json::object();
    for (const auto& [key, value] : machine) facts[bytes_to_utf8(key)] = text(value);
    const Json document = {
        {"kcost_version", KCOST_VERSION},
        {"workload", text(ticks.workload)},
        {"unit", text(ticks.unit)},
        {"rate", rate(rate_of(ticks))},
        {"rate_by_cpu", per_cpu(ticks)},
        {"members", ticks.members},
        {"members_are", text(ticks.members_are)},
        {"seed", ticks.seed},
        {"footprint_bytes", ticks.footprint_bytes ? Json(ticks.footprint_bytes) : Json()},
        {"warm_up_ticks", ticks.warm_up_ticks},
        {"asked_ticks", ticks.asked_ticks},
        {"ticks", std::move(raw)},
        {"proof", proof(ticks.proof)},
        {"notes", std::move(notes)},
        {"machine", std::move(facts)}};
    return document.dump(2) + '\n';
}

}  // namespace kcost
