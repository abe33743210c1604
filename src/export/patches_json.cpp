#include "export/patches_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "export/publication_json.h"

namespace kcost {
namespace {

using Json = nlohmann::ordered_json;
using model::FactFinding;
using model::PatchReport;

Json text(const std::string& bytes) { return bytes_to_utf8(bytes); }
Json text_or_null(const std::string& bytes) { return bytes.empty() ? Json() : text(bytes); }

Json texts(const std::vector<std::string>& all) {
    Json array = Json::array();
    for (const std::string& it : all) array.push_back(text(it));
    return array;
}

Json commit(const model::Commit& it) {
    if (it.id.empty()) return {};
    return {{"commit", text(it.id)}, {"subject", text(it.subject)}, {"version", text(it.version)}};
}

const char* word(FactFinding::Value value) {
    switch (value) {
        case FactFinding::Value::kNo:
            return "no";
        case FactFinding::Value::kYes:
            return "yes";
        case FactFinding::Value::kUnknown:
            break;
    }
    return "unknown";
}

Json fact(const FactFinding& it) {
    Json instructions = Json::array();
    for (const model::ShownInstruction& shown : it.instructions) {
        // Addresses as text: JSON's numbers lose bits above 2^53 in many readers.
        instructions.push_back({{"address", fmt::format("{:#x}", shown.address)},
                                {"word", fmt::format("{:08x}", shown.word)},
                                {"place", text(shown.place)},
                                {"text", text(shown.text)}});
    }
    return {{"name", text(it.name)},
            {"claim", text(it.claim)},
            {"where", text_or_null(it.where)},
            {"value", word(it.value)},
            {"reason", text_or_null(it.reason)},
            {"instructions", std::move(instructions)}};
}

/// null where they are not known: a kernel's file says nothing of the machine that will run it.
Json circumstances(const model::AskedKernel& kernel, const std::vector<std::string>& all) {
    return kernel.image.empty() ? texts(all) : Json();
}

Json report(const model::AskedKernel& kernel, const PatchReport& it) {
    const model::Patch& patch = it.patch;
    Json facts = Json::array();
    for (const FactFinding& found : it.finding.facts) facts.push_back(fact(found));
    Json published = Json::array();
    for (const model::Publication& found : patch.published) {
        published.push_back(publication_json(found));
    }
    return {{"slug", text(patch.slug)},
            {"title", text(patch.title)},
            {"evidence", model::to_string(it.finding.evidence)},
            {"form", text_or_null(it.finding.form)},
            {"why", text(it.finding.why)},
            {"remedy", text_or_null(it.finding.remedy)},
            {"moot_here", circumstances(kernel, it.moot_here)},
            {"worth_more_here", circumstances(kernel, it.worth_more_here)},
            {"facts", std::move(facts)},
            {"summary", text(patch.summary)},
            {"author", text(patch.author)},
            {"posted", text(patch.posted)},
            {"reference", text(patch.reference)},
            {"upstream", commit(patch.upstream)},
            {"superseded_by", commit(patch.superseded_by)},
            {"hot_paths", texts(patch.hot_paths)},
            {"workload", text(patch.workload.name)},
            {"controls", texts(patch.workload.controls)},
            {"mechanism", text(patch.mechanism)},
            {"benefit", text(patch.benefit)},
            {"published", std::move(published)}};
}

}  // namespace

std::string render_patches_json(const model::AskedKernel& kernel,
                                const std::vector<PatchReport>& reports) {
    Json patches = Json::array();
    for (const PatchReport& it : reports) patches.push_back(report(kernel, it));
    const Json document = {{"image", text_or_null(kernel.image)},
                           {"release", text_or_null(kernel.release)},
                           {"patches", std::move(patches)}};
    return document.dump(2) + '\n';
}

}  // namespace kcost
