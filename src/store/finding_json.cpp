#include "store/finding_json.h"

#include <array>

namespace kcost {
namespace {

using Json = OrderedJson;
using model::Evidence;
using model::FactFinding;

constexpr std::array kEvidences = {Evidence::kPresent, Evidence::kAbsent, Evidence::kSuperseded,
                                   Evidence::kCannotTell};
// In the order of FactFinding::Value.
constexpr std::array<std::string_view, 3> kValues = {"no", "yes", "unknown"};

Json instruction(const model::ShownInstruction& it) {
    return {{"address", it.address},
            {"word", it.word},
            {"place", text_to_json(it.place)},
            {"text", text_to_json(it.text)}};
}

Json fact(const FactFinding& it) {
    return {{"name", text_to_json(it.name)},
            {"claim", text_to_json(it.claim)},
            {"where", text_to_json(it.where)},
            {"value", kValues[static_cast<std::size_t>(it.value)]},
            {"reason", text_to_json(it.reason)},
            {"remedy", text_to_json(it.remedy)},
            {"instructions", list_to_json(it.instructions, instruction)}};
}

Evidence evidence(Reader& in, const Field& at) {
    const std::string word = in.text(at);
    for (Evidence evidence : kEvidences) {
        if (word == to_string(evidence)) return evidence;
    }
    in.wrong(at.place(), "is none of present, absent, superseded, cannot tell");
    return Evidence::kCannotTell;
}

FactFinding::Value fact_value(Reader& in, const Field& at) {
    const std::string word = in.text(at);
    for (std::size_t i = 0; i < kValues.size(); i++) {
        if (word == kValues[i]) return static_cast<FactFinding::Value>(i);
    }
    in.wrong(at.place(), "is none of no, yes, unknown");
    return FactFinding::Value::kUnknown;
}

model::ShownInstruction read_instruction(Reader& in, const Field& at) {
    return {.address = in.number(in.member(at, "address")),
            .word = in.number32(in.member(at, "word")),
            .place = in.text(in.member(at, "place")),
            .text = in.text(in.member(at, "text"))};
}

FactFinding read_fact_finding(Reader& in, const Field& at) {
    return {.name = in.text(in.member(at, "name")),
            .claim = in.text(in.member(at, "claim")),
            .where = in.text(in.member(at, "where")),
            .value = fact_value(in, in.member(at, "value")),
            .reason = in.text(in.member(at, "reason")),
            .remedy = in.text(in.member(at, "remedy")),
            .instructions = in.list(in.member(at, "instructions"), read_instruction)};
}

}  // namespace

OrderedJson evidence_to_json(const model::PatchEvidence& it) {
    return {{"slug", text_to_json(it.slug)},
            {"evidence", to_string(it.finding.evidence)},
            {"form", text_to_json(it.finding.form)},
            {"why", text_to_json(it.finding.why)},
            {"remedy", text_to_json(it.finding.remedy)},
            {"facts", list_to_json(it.finding.facts, fact)}};
}

model::PatchEvidence read_evidence(Reader& in, const Field& at) {
    return {.slug = in.text(in.member(at, "slug")),
            .finding = {.evidence = evidence(in, in.member(at, "evidence")),
                        .form = in.text(in.member(at, "form")),
                        .why = in.text(in.member(at, "why")),
                        .remedy = in.text(in.member(at, "remedy")),
                        .facts = in.list(in.member(at, "facts"), read_fact_finding)}};
}

}  // namespace kcost
