#include "patch/signature_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernel/a64.h"

namespace kcost::patch {
namespace {

using kernel::BarrierDomain;
using model::Evidence;

// What tells which kind of fact a table is: exactly one of these keys.
constexpr const char* kKinds[] = {"calls", "returns",   "tlbi",   "dsb",
                                  "reads", "refers_to", "struct", "prototype"};

WayFact read_way(TomlTable& table) {
    WayFact way;
    way.to_call = table.texts("calls");
    if (table.has("returns") && !table.flag("returns")) table.wrong("returns", "it must be true");
    way.after_call = table.texts("after_call");
    way.without_call = table.texts("without_call");
    return way;
}

TlbFact read_tlb(TomlTable& table) {
    TlbFact tlb;
    tlb.operations = table.texts("tlbi");
    for (const std::string& name : tlb.operations) {
        if (name.ends_with("is") || name.ends_with("os")) {
            table.wrong("tlbi", fmt::format("'{}': leave the scope to the key scope", name));
        } else if (!kernel::is_tlb_operation(name)) {
            table.wrong("tlbi", fmt::format("'{}': there is no such operation", name));
        }
    }
    if (!table.has("scope")) table.wrong("scope", "it is missing");
    tlb.broadcast = table.word("scope", {"local", "broadcast"}) == "broadcast";
    return tlb;
}

BarrierFact read_barrier(TomlTable& table) {
    const std::map<std::string, BarrierDomain> domains = {{"nsh", BarrierDomain::kNonShareable},
                                                          {"ish", BarrierDomain::kInnerShareable},
                                                          {"osh", BarrierDomain::kOuterShareable},
                                                          {"sy", BarrierDomain::kFullSystem}};
    return {domains.at(table.word("dsb", {"nsh", "ish", "osh", "sy"}))};
}

ReferenceFact read_reference(TomlTable& table) {
    return {table.text("refers_to"), table.flag("or_scaled_load")};
}

void read_what(const std::string& kind, TomlTable& table, Fact& fact) {
    if (kind == "calls" || kind == "returns") fact.what = read_way(table);
    if (kind == "tlbi") fact.what = read_tlb(table);
    if (kind == "dsb") fact.what = read_barrier(table);
    if (kind == "reads") fact.what = RegisterFact{table.texts("reads")};
    if (kind == "refers_to") fact.what = read_reference(table);
    if (kind == "struct") fact.what = MemberFact{table.text("struct"), table.text("member")};
    if (kind == "prototype") {
        fact.what = ParameterFact{table.text("prototype"), table.text("parameter")};
    }
}

Place read_place(TomlTable& table, const Names& functions, bool is_way) {
    Place place;
    place.that_calls = table.optional_text("in_caller_of");
    place.functions = table.texts("functions");
    if (place.functions.empty()) place.functions = functions;
    if (place.functions.empty() && place.that_calls.empty()) {
        table.wrong("functions", "it is missing here and in the signature");
    }
    place.look_into = table.texts("look_into");
    if (is_way) return place;
    place.before_masked = table.flag("before_interrupts_are_masked");
    place.before_call = table.texts("before_call");
    return place;
}

Fact read_fact(const std::string& name, TomlTable& table, const Names& functions) {
    Fact fact;
    fact.name = name;
    std::vector<std::string> kinds;
    for (const char* kind : kKinds) {
        if (table.has(kind)) kinds.push_back(kind);
    }
    if (kinds.size() != 1) {
        table.wrong("",
                    "it must have exactly one of calls, returns, tlbi, dsb, reads, refers_to, "
                    "struct, prototype");
        return fact;
    }
    const std::string& kind = kinds.front();
    read_what(kind, table, fact);
    const bool of_types = kind == "struct" || kind == "prototype";
    if (!of_types) {
        fact.place = read_place(table, functions, kind == "calls" || kind == "returns");
    }
    table.done();
    return fact;
}

Names read_fact_names(TomlTable& table, const char* key, const Signature& signature) {
    Names names = table.texts(key);
    for (const std::string& name : names) {
        if (signature.find(name) == nullptr) {
            table.wrong(key, fmt::format("there is no fact '{}'", name));
        }
    }
    return names;
}

Rule read_rule(TomlTable& table, const Signature& signature) {
    const std::map<std::string, Evidence> known = {{"present", Evidence::kPresent},
                                                   {"absent", Evidence::kAbsent},
                                                   {"superseded", Evidence::kSuperseded},
                                                   {"cannot tell", Evidence::kCannotTell}};
    Rule rule;
    if (!table.has("evidence")) table.wrong("evidence", "it is missing");
    rule.evidence =
        known.at(table.word("evidence", {"cannot tell", "present", "absent", "superseded"}));
    rule.form = table.optional_text("form");
    rule.proves = table.text("proves");
    rule.all = read_fact_names(table, "all", signature);
    rule.any = read_fact_names(table, "any", signature);
    rule.none = read_fact_names(table, "none", signature);
    if (rule.all.empty() && rule.any.empty() && rule.none.empty()) {
        table.wrong("", "it has none of all, any and none, so it always holds");
    }
    table.done();
    return rule;
}

void require_use_of_each(const Signature& signature, TomlTable& facts) {
    std::set<std::string> used;
    for (const Rule& rule : signature.rules) {
        for (const Names* names : {&rule.all, &rule.any, &rule.none}) {
            used.insert(names->begin(), names->end());
        }
    }
    for (const Fact& fact : signature.facts) {
        if (!used.contains(fact.name)) facts.wrong(fact.name, "no rule uses it");
    }
}

}  // namespace

Signature read_signature(TomlTable table) {
    Signature signature;
    const Names functions = table.texts("functions");
    TomlTable facts = table.table("facts");
    for (auto& [name, fact] : facts.all_tables()) {
        signature.facts.push_back(read_fact(name, fact, functions));
    }
    for (TomlTable& rule : table.tables("rules")) {
        signature.rules.push_back(read_rule(rule, signature));
    }
    if (signature.rules.empty()) table.wrong("rules", "it is missing");
    require_use_of_each(signature, facts);
    table.done();
    return signature;
}

}  // namespace kcost::patch
