#include "patch/find.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "patch/look_up.h"

namespace kcost::patch {
namespace {

using model::Evidence;
using model::FactFinding;
using Value = FactFinding::Value;

constexpr const char* kNoRuleFits = "its code is none that the signature knows";

using Facts = std::map<std::string, FactFinding>;

std::optional<bool> value_of(const Facts& facts, const std::string& name) {
    const Value value = facts.at(name).value;
    if (value == Value::kUnknown) return std::nullopt;
    return value == Value::kYes;
}

/// Certain, whatever the unknown facts are.
bool holds(const Rule& rule, const Facts& facts) {
    const auto is = [&](bool wanted) {
        return [&facts, wanted](const std::string& name) {
            return value_of(facts, name) == std::optional<bool>(wanted);
        };
    };
    return std::all_of(rule.all.begin(), rule.all.end(), is(true)) &&
           std::all_of(rule.none.begin(), rule.none.end(), is(false)) &&
           (rule.any.empty() || std::any_of(rule.any.begin(), rule.any.end(), is(true)));
}

void add_unique(std::string& text, const std::string& more, const char* between) {
    if (more.empty() || text.find(more) != text.npos) return;
    text += (text.empty() ? "" : between) + more;
}

/// Facts of these rules, in the order of the signature.
std::vector<FactFinding> facts_of(const std::vector<const Rule*>& rules, const Signature& signature,
                                  const Facts& facts) {
    std::set<std::string> wanted;
    for (const Rule* rule : rules) {
        for (const Names* names : {&rule->all, &rule->any, &rule->none}) {
            wanted.insert(names->begin(), names->end());
        }
    }
    std::vector<FactFinding> found;
    for (const Fact& fact : signature.facts) {
        const FactFinding& finding = facts.at(fact.name);
        if (wanted.contains(fact.name) && finding.value != Value::kUnknown) {
            found.push_back(finding);
        }
    }
    return found;
}

model::PatchFinding cannot_tell(const Signature& signature, const Facts& facts) {
    model::PatchFinding finding;
    for (const Fact& fact : signature.facts) {
        const FactFinding& found = facts.at(fact.name);
        finding.facts.push_back(found);
        add_unique(finding.why, found.reason, "; ");
        add_unique(finding.remedy, found.remedy, "; ");
    }
    if (finding.why.empty()) finding.why = kNoRuleFits;
    return finding;
}

model::PatchFinding contradiction(const std::vector<const Rule*>& rules) {
    model::PatchFinding finding;
    finding.why = "the evidence contradicts itself";
    const char* between = ": ";
    for (const Rule* rule : rules) {
        finding.why += between + rule->proves;
        between = "; but ";
    }
    return finding;
}

}  // namespace

model::PatchFinding find(const Signature& signature, const Subject& subject) {
    Functions functions(subject);
    Facts facts;
    for (const Fact& fact : signature.facts) {
        facts.emplace(fact.name, look_up(fact, subject, functions));
    }
    std::vector<const Rule*> holding;
    for (const Rule& rule : signature.rules) {
        if (holds(rule, facts)) holding.push_back(&rule);
    }
    if (holding.empty()) return cannot_tell(signature, facts);
    const Rule& first = *holding.front();
    const bool agreed = std::all_of(holding.begin(), holding.end(), [&](const Rule* rule) {
        return rule->evidence == first.evidence && rule->form == first.form;
    });
    model::PatchFinding finding = agreed ? model::PatchFinding() : contradiction(holding);
    finding.facts = facts_of(holding, signature, facts);
    if (!agreed) return finding;
    finding.evidence = first.evidence;
    finding.form = first.form;
    for (const Rule* rule : holding) add_unique(finding.why, rule->proves, "; ");
    return finding;
}

}  // namespace kcost::patch
