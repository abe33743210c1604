#include "patch/signature.h"

#include <fmt/format.h>

namespace kcost::patch {
namespace {

std::string one_of(const Names& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); i++) {
        text += i == 0 ? "" : i + 1 < names.size() ? ", " : " or ";
        text += names[i];
    }
    return text;
}

struct Claim {
    std::string operator()(const WayFact& way) const {
        const bool plain = way.without_call.empty() && way.after_call.empty();
        if (plain && !way.to_call.empty()) return "calls " + one_of(way.to_call);
        std::string text = way.to_call.empty() ? "returns" : "calls " + one_of(way.to_call);
        if (!way.after_call.empty()) text += " after " + one_of(way.after_call);
        if (!way.without_call.empty()) text += " without calling " + one_of(way.without_call);
        return text;
    }
    std::string operator()(const TlbFact& tlb) const {
        return fmt::format("flushes by {}, {}", one_of(tlb.operations),
                           tlb.broadcast ? "on all CPUs" : "on its own CPU");
    }
    std::string operator()(const BarrierFact& barrier) const {
        constexpr const char* kDomains[] = {"osh", "nsh", "ish", "sy"};
        return std::string("waits by dsb ") + kDomains[static_cast<int>(barrier.domain)];
    }
    std::string operator()(const RegisterFact& read) const {
        return "reads " + one_of(read.registers);
    }
    std::string operator()(const ReferenceFact& reference) const {
        return "refers to " + reference.symbol;
    }
    std::string operator()(const MemberFact& member) const {
        return fmt::format("struct {} has a member {}", member.structure, member.member);
    }
    std::string operator()(const ParameterFact& parameter) const {
        return fmt::format("{}() has a parameter {}", parameter.function, parameter.parameter);
    }
};

}  // namespace

const Fact* Signature::find(const std::string& name) const {
    for (const Fact& fact : facts) {
        if (fact.name == name) return &fact;
    }
    return nullptr;
}

Names Signature::symbols() const {
    Names names;
    for (const Fact& fact : facts) {
        const auto* reference = std::get_if<ReferenceFact>(&fact.what);
        if (reference != nullptr) names.push_back(reference->symbol);
    }
    return names;
}

std::string claim_of(const Fact& fact) {
    std::string text = std::visit(Claim{}, fact.what);
    if (fact.place.before_masked) text += " before it masks interrupts";
    if (!fact.place.before_call.empty()) {
        text += (fact.place.before_masked ? " or calls " : " before it calls ") +
                one_of(fact.place.before_call);
    }
    return text;
}

}  // namespace kcost::patch
