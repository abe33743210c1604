#include "patch/look_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/path.h"

namespace kcost::patch {
namespace {

using kernel::A64Instruction;
using kernel::A64Kind;
using Addresses = std::vector<std::uint64_t>;
using Value = model::FactFinding::Value;

constexpr unsigned kZeroRegister = 31;

struct Seen {
    std::uint64_t address;
    A64Instruction instruction;
};

/// The answer before it is put into words. No value: the reason tells why.
struct Answer {
    std::optional<bool> value;
    std::vector<Seen> shown;
    std::string reason;
    std::string remedy;
};

Answer unknown(std::string reason, std::string remedy = "") {
    return {std::nullopt, {}, std::move(reason), std::move(remedy)};
}

Answer yes(const Function& function, const Addresses& addresses) {
    Answer answer{true, {}, "", ""};
    for (const std::uint64_t at : addresses) answer.shown.push_back({at, function.flow.at(at)});
    return answer;
}

/// Holds only where all ways are known.
Answer no(const Function& function, const Addresses& addresses) {
    if (!function.hidden.empty()) {
        return unknown(fmt::format("{}+{:#x} jumps to where its flow is not followed",
                                   function.name,
                                   *function.hidden.begin() - function.flow.begin()));
    }
    Answer answer = yes(function, addresses);
    answer.value = false;
    return answer;
}

bool returns(const Function& function, std::uint64_t at) {
    const A64Kind kind = function.flow.at(at).kind;
    return kind == A64Kind::kReturn || kind == A64Kind::kExceptionReturn;
}

/// Where a function that was called in its place returns, this one does.
bool leaves(const Function& function, std::uint64_t at) {
    return returns(function, at) || function.tail_calls.contains(at);
}

Addresses calls_of(const Function& function, const std::set<std::uint64_t>& addresses) {
    Addresses found;
    for (const auto& it : function.flow.instructions()) {
        if (function.calls(it.first, addresses)) found.push_back(it.first);
    }
    return found;
}

/*
 * Looks the facts about a function's flow up. A brk goes on behind itself where it is a WARN, and
 * ends the kernel where it is a BUG; its immediate is the same. What is so only behind one is
 * therefore not certain: a yes must hold where each ends, a no where each goes on.
 */
class TextLookUp {
public:
    TextLookUp(const Fact& fact, const Subject& subject, Functions& functions)
        : fact_(fact), subject_(subject), functions_(functions) {}

    Answer in(const Function& function) {
        function_ = &function;
        const auto ask = [&](const auto& what) { return answer(what); };
        past_traps_ = false;
        Answer strict = std::visit(ask, fact_.what);
        if (!strict.value || *strict.value) return strict;
        past_traps_ = true;
        Answer lenient = std::visit(ask, fact_.what);
        if (!lenient.value || !*lenient.value) return lenient;
        return unknown(fact_.name + " is so in " + function.name +
                       " only behind a trap that may end the kernel");
    }

private:
    Answer answer(const WayFact& way);
    Answer answer(const TlbFact& tlb);
    Answer answer(const BarrierFact& barrier);
    Answer answer(const RegisterFact& read);
    Answer answer(const ReferenceFact& reference);
    Answer answer(const MemberFact&) { return {}; }
    Answer answer(const ParameterFact&) { return {}; }

    Answer way_without(const WayFact& way, const std::set<std::uint64_t>& avoided);
    Addresses worth_showing(const Addresses& way) const;
    bool always_calls(const Function& function, const std::set<std::uint64_t>& addresses) const;
    bool ends_at_trap(const A64Instruction& instruction) const {
        return !past_traps_ && instruction.kind == A64Kind::kBreakpoint;
    }
    std::set<std::uint64_t> region(const Function& function);
    template <typename Wanted>
    Answer any_in_region(const Wanted& wanted);

    const Fact& fact_;
    const Subject& subject_;
    Functions& functions_;
    const Function* function_ = nullptr;
    bool past_traps_ = false;
};

/// Of a way its calls, its choices and where it ends.
Addresses TextLookUp::worth_showing(const Addresses& way) const {
    Addresses shown;
    for (const std::uint64_t address : way) {
        const A64Kind kind = function_->flow.at(address).kind;
        const bool tells =
            kind == A64Kind::kCall || kind == A64Kind::kConditionalBranch || address == way.back();
        if (tells) shown.push_back(address);
    }
    return shown;
}

bool TextLookUp::always_calls(const Function& function,
                              const std::set<std::uint64_t>& addresses) const {
    const auto avoid = [&](std::uint64_t at, const A64Instruction& instruction) {
        return ends_at_trap(instruction) || function.calls(at, addresses);
    };
    const auto goal = [&](std::uint64_t at, const A64Instruction&) { return leaves(function, at); };
    return kernel::shortest_way(function.flow, function.flow.begin(), goal, avoid).empty();
}

/// A call of a helper is one to be avoided if the helper always makes such a call.
Answer TextLookUp::answer(const WayFact& fact) {
    const std::set<std::uint64_t> named = functions_.addresses(fact.without_call);
    std::set<std::uint64_t> avoided = named;
    bool is_called = fact.without_call.empty() || !calls_of(*function_, named).empty();
    for (const Function& helper : functions_.called_in(*function_, fact_.place.look_into)) {
        if (calls_of(helper, named).empty()) continue;
        is_called = true;
        if (always_calls(helper, named)) avoided.insert(helper.flow.begin());
    }
    if (is_called) return way_without(fact, avoided);
    // Where nothing is there to be avoided, its name may be another one here.
    return unknown(
        fmt::format("{} does not call {} at all", function_->name, fact.without_call.front()));
}

Answer TextLookUp::way_without(const WayFact& fact, const std::set<std::uint64_t>& avoided) {
    const std::set<std::uint64_t> goals = functions_.addresses(fact.to_call);
    const std::set<std::uint64_t> starts = functions_.addresses(fact.after_call);
    Addresses begins = {function_->flow.begin()};
    if (!fact.after_call.empty()) {
        begins = calls_of(*function_, starts);
        if (begins.empty()) {
            return unknown(function_->name + " does not call " + fact.after_call.front());
        }
        for (std::uint64_t& begin : begins) begin += 4;
    }
    const auto avoid = [&](std::uint64_t at, const A64Instruction& instruction) {
        return ends_at_trap(instruction) || function_->calls(at, avoided);
    };
    const auto goal = [&](std::uint64_t at, const A64Instruction&) {
        if (!fact.to_call.empty()) return function_->calls(at, goals);
        return leaves(*function_, at);
    };
    for (const std::uint64_t begin : begins) {
        const Addresses way = kernel::shortest_way(function_->flow, begin, goal, avoid);
        if (!way.empty()) return yes(*function_, worth_showing(way));
    }
    return no(*function_, calls_of(*function_, avoided));
}

std::set<std::uint64_t> TextLookUp::region(const Function& function) {
    const std::set<std::uint64_t> ends = functions_.addresses(fact_.place.before_call);
    const auto stop = [&](std::uint64_t at, const A64Instruction& instruction) {
        return ends_at_trap(instruction) || function.calls(at, ends) ||
               (fact_.place.before_masked && kernel::masks_interrupts(instruction));
    };
    return function.flow.reachable(function.flow.begin(), stop);
}

/// `wanted`: true of an instruction that makes the fact so. Functions called from here that belong
/// to it are looked into only where it has none itself.
template <typename Wanted>
Answer TextLookUp::any_in_region(const Wanted& wanted) {
    const auto matches = [&](const Function& function) {
        Addresses found;
        for (const std::uint64_t at : region(function)) {
            if (wanted(function.flow.at(at))) found.push_back(at);
        }
        return found;
    };
    Addresses found = matches(*function_);
    if (!found.empty()) return yes(*function_, found);
    for (const Function& called : functions_.called_in(*function_, fact_.place.look_into)) {
        found = matches(called);
        if (!found.empty()) return yes(called, found);
    }
    return no(*function_, {});
}

Answer TextLookUp::answer(const TlbFact& fact) {
    return any_in_region([&](const A64Instruction& instruction) {
        if (!instruction.tlb || instruction.destination == kZeroRegister) return false;
        const bool local = instruction.tlb->scope == kernel::TlbScope::kLocal;
        const Names& names = fact.operations;
        return local != fact.broadcast &&
               std::find(names.begin(), names.end(), instruction.tlb->name) != names.end();
    });
}

Answer TextLookUp::answer(const BarrierFact& fact) {
    return any_in_region([&](const A64Instruction& instruction) {
        return instruction.kind == A64Kind::kDsb && !instruction.stores_only &&
               instruction.domain == fact.domain;
    });
}

Answer TextLookUp::answer(const RegisterFact& fact) {
    return any_in_region([&](const A64Instruction& instruction) {
        if (instruction.kind != A64Kind::kReadSystem) return false;
        const std::string name = kernel::system_register_name(instruction.system_register);
        return std::find(fact.registers.begin(), fact.registers.end(), name) !=
               fact.registers.end();
    });
}

Answer TextLookUp::answer(const ReferenceFact& fact) {
    const auto symbol = subject_.data.find(fact.symbol);
    if (symbol != subject_.data.end()) {
        const Addresses found =
            kernel::references_to(function_->flow, region(*function_), symbol->second);
        return found.empty() ? no(*function_, {}) : yes(*function_, found);
    }
    if (!fact.or_scaled_load) return unknown("/proc/kallsyms does not list " + fact.symbol);
    return any_in_region(
        [](const A64Instruction& instruction) { return instruction.kind == A64Kind::kLoadScaled; });
}

bool is_of_types(const Fact& fact) {
    return std::holds_alternative<MemberFact>(fact.what) ||
           std::holds_alternative<ParameterFact>(fact.what);
}

Answer in_types(const Fact& fact, const Subject& subject) {
    if (!subject.types) return unknown(subject.no_types.what, subject.no_types.hint);
    const auto answer = [](std::optional<bool> value, const std::string& missing) {
        return value ? Answer{value, {}, "", ""} : unknown(missing);
    };
    if (const auto* member = std::get_if<MemberFact>(&fact.what)) {
        return answer(subject.types->has_member(member->structure, member->member),
                      "this kernel has no struct " + member->structure);
    }
    const auto& parameter = std::get<ParameterFact>(fact.what);
    return answer(subject.types->has_parameter(parameter.function, parameter.parameter),
                  "this kernel's types have no function " + parameter.function);
}

}  // namespace

model::FactFinding look_up(const Fact& fact, const Subject& subject, Functions& functions) {
    model::FactFinding finding;
    finding.name = fact.name;
    finding.claim = claim_of(fact);
    Answer answer;
    if (is_of_types(fact)) {
        finding.where = "types";
        answer = in_types(fact, subject);
    } else if (auto function = functions.at(fact.place)) {
        finding.where = function->name;
        answer = TextLookUp(fact, subject, functions).in(*function);
        for (const Seen& seen : answer.shown) {
            finding.instructions.push_back(functions.show(seen.instruction, seen.address));
        }
    } else {
        answer = unknown(function.error().what, function.error().hint);
    }
    if (answer.value) finding.value = *answer.value ? Value::kYes : Value::kNo;
    finding.reason = answer.reason;
    finding.remedy = answer.remedy;
    return finding;
}

}  // namespace kcost::patch
