// "json": what confirm found, for programs: every figure with its interval, and the raw points.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "export/publication_json.h"
#include "export/statistics_json.h"
#include "export/writeup.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;
using model::Confirmation;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }
Json text_or_null(const std::string& bytes) { return bytes.empty() ? Json() : text(bytes); }

Json texts(const std::vector<std::string>& all) {
    Json array = Json::array();
    for (const std::string& it : all) array.push_back(text(it));
    return array;
}

Json number(const std::optional<double>& it) { return it ? number_json(*it) : Json(); }

Json estimate(const std::optional<model::Estimate>& it) { return it ? estimate_json(*it) : Json(); }

Json fact(const model::FactFinding& it) {
    Json instructions = Json::array();
    for (const model::ShownInstruction& shown : it.instructions)
        instructions.push_back({{"place", text(shown.place)},
                                {"word", fmt::format("{:08x}", shown.word)},
                                {"text", text(shown.text)}});
    const char* value = it.value == model::FactFinding::Value::kYes  ? "yes"
                        : it.value == model::FactFinding::Value::kNo ? "no"
                                                                     : "unknown";
    return {{"name", text(it.name)},
            {"claim", text(it.claim)},
            {"where", text_or_null(it.where)},
            {"value", value},
            {"instructions", std::move(instructions)}};
}

Json side(const model::ConfirmedSide& it) {
    Json facts = Json::array();
    for (const model::FactFinding& found : it.finding.facts) facts.push_back(fact(found));
    return {{"file", text(it.file)},
            {"release", text(it.release)},
            {"build_id", text(it.build_id)},
            {"boots", it.boots},
            {"bare", it.bare},
            {"probed", it.probed},
            {"sampled", it.sampled},
            {"evidence", to_string(it.finding.evidence)},
            {"form", text_or_null(it.finding.form)},
            {"why", text(it.finding.why)},
            {"facts", std::move(facts)},
            {"notes", texts(it.notes)}};
}

Json counted(const model::CountedSide& it) {
    return {{"events", it.events},
            {"lost", it.lost},
            {"operations", it.operations},
            {"rate", estimate(it.rate)},
            {"mechanism", text_or_null(it.mechanism)}};
}

Json effect(const model::ConfirmedEffect& it) {
    Json object = {{"name", text(it.name)},
                   {"workload", text(it.workload)},
                   {"kind", to_string(it.of)},
                   {"per", it.of == model::EffectOf::kTime ? text("call") : text(it.operation)},
                   {"judged", it.judged},
                   {"ratio", estimate(it.ratio)},
                   {"before", counted(it.before)},
                   {"after", counted(it.after)}};
    if (it.of != model::EffectOf::kCalls) {
        const char* mean = it.of == model::EffectOf::kTime ? "mean_ns" : "mean_instructions";
        object["before"] = {{mean, number(it.before_mean)},
                            {"mechanism", text_or_null(it.before.mechanism)}};
        object["after"] = {{mean, number(it.after_mean)},
                           {"mechanism", text_or_null(it.after.mechanism)}};
    }
    object["note"] = text_or_null(it.note);
    return object;
}

Json metric_side(const model::MetricSide& it) {
    Json boots = Json::array();
    for (const model::BootPoints& boot : it.boots) {
        Json values = Json::array();
        for (double value : boot.values) values.push_back(number_json(value));
        boots.push_back({{"boot_id", text(boot.id)}, {"values", std::move(values)}});
    }
    return {{"mean", it.boots.empty() ? Json() : number_json(it.mean)},
            {"sd", number(it.sd)},
            {"spread", "sd"},
            {"n", it.boots.size()},
            {"boots", std::move(boots)}};
}

Json metric(const model::ConfirmedMetric& it) {
    Json relative = Json::array();
    for (const model::RelativeRatio& found : it.relative)
        relative.push_back({{"control", text(found.control)},
                            {"ratio", estimate(found.ratio)},
                            {"missing", text_or_null(found.missing)}});
    return {{"name", text(it.name)},
            {"unit", text(it.unit)},
            {"better", it.higher_is_better ? "higher" : "lower"},
            {"control", it.control},
            {"state", it.state},
            {"missing", text_or_null(it.missing)},
            {"ratio", estimate(it.ratio)},
            {"level", it.ratio ? number_json(it.level) : Json()},
            {"df", it.ratio ? number_json(it.df) : Json()},
            {"p", it.ratio ? number_json(it.p) : Json()},
            {"permutation_p", number(it.permutation_p)},
            {"relative", std::move(relative)},
            {"before", metric_side(it.before)},
            {"after", metric_side(it.after)}};
}

Json facts(const Confirmation& it) {
    Json array = Json::array();
    for (const model::ComparedFact& found : it.facts)
        array.push_back({{"key", text(found.key)},
                         {"before", text(found.before)},
                         {"after", text(found.after)},
                         {"needed_for", text_or_null(found.needed_for)},
                         {"differs", found.differs}});
    return array;
}

Json published(const Confirmation& it) {
    Json array = Json::array();
    if (!it.patch) return array;
    for (const model::GradedPublication& found : it.patch->publications) {
        Json publication = publication_json(found.publication);
        Json grades = Json::array();
        for (const model::GradedFigure& grade : found.grades) grades.push_back(text(grade.says));
        publication["grades"] = std::move(grades);
        array.push_back(std::move(publication));
    }
    return array;
}

const char* scope(const Confirmation& it) {
    if (it.same_kernel) return "same kernel";
    return it.kernel_change ? "kernel change" : "patch";
}

std::string render(const Confirmation& it) {
    Json effects = Json::array(), metrics = Json::array(), shares = Json::array();
    for (const auto& found : it.effects) effects.push_back(effect(found));
    for (const auto& found : it.metrics) metrics.push_back(metric(found));
    for (const model::CycleShare& found : it.shares)
        shares.push_back({{"target", text(found.target)},
                          {"workload", text(found.workload)},
                          {"before", estimate(found.before)},
                          {"after", estimate(found.after)}});
    const Json document = {{"kcost_version", KCOST_VERSION},
                           {"verdict", it.verdict},
                           {"exit_status", it.exit_status},
                           {"patch", it.patch ? text(it.patch->patch.slug) : Json()},
                           {"scope", scope(it)},
                           {"emulated", it.emulated},
                           {"look", it.look},
                           {"most_looks", it.most_looks},
                           {"boots_needed", it.boots_needed ? Json(*it.boots_needed) : Json()},
                           {"reasons", texts(it.reasons)},
                           {"before", side(it.before)},
                           {"after", side(it.after)},
                           {"effects", std::move(effects)},
                           {"cycle_shares", std::move(shares)},
                           {"metrics", std::move(metrics)},
                           {"published", published(it)},
                           {"unattributed", texts(it.unattributed)},
                           {"notes", texts(it.notes)},
                           {"facts", facts(it)}};
    return document.dump(2) + '\n';
}

}  // namespace

extern const Writeup kWriteupJson = {"json", "for programs: all figures, with every raw point",
                                     render};

}  // namespace kcost
