// How a patch is told from a kernel's live text and types: facts, and rules that combine them.
// Data from patch.toml; looked up by find.h.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "kernel/a64.h"
#include "model/patch_finding.h"

namespace kcost::patch {

using Names = std::vector<std::string>;

/// A way from the entry (or from behind a call) to a call or a return that passes no call of some
/// functions. A call in another function's place, by a branch, is a call, too.
struct WayFact {
    Names after_call;    ///< begins behind a call of one of these; none: at the entry
    Names to_call;       ///< ends at a call of one of these; none: at a return
    Names without_call;  ///< may be globs, as all names of calls
};

/// Reaches a TLB operation of a scope. One with xzr for its register is the repetition for an
/// erratum and does not count.
struct TlbFact {
    Names operations;  ///< "vale1", without the scope
    bool broadcast = false;
};

/// Reaches a DSB that waits for more than stores, in a domain.
struct BarrierFact {
    kernel::BarrierDomain domain = kernel::BarrierDomain::kNonShareable;
};

/// Reads one of these system registers.
struct RegisterFact {
    Names registers;
};

/// Makes a symbol's address. Where kallsyms does not list the symbol (no KALLSYMS_ALL), a load
/// indexed by 8 bytes may stand for it.
struct ReferenceFact {
    std::string symbol;
    bool or_scaled_load = false;
};

struct MemberFact {
    std::string structure;
    std::string member;
};

struct ParameterFact {
    std::string function;
    std::string parameter;
};

/// Where in the text a fact is looked for.
struct Place {
    Names functions;             ///< the first that exists
    std::string that_calls;      ///< instead: the only function that calls this one
    bool before_masked = false;  ///< only what runs before interrupts are masked
    Names before_call;           ///< only what runs before a call of one of these
    Names look_into;             ///< functions called from there that belong to it, one level
                                 ///< (of a way: that may make the call it is without)
};

struct Fact {
    std::string name;
    Place place;
    std::variant<WayFact, TlbFact, BarrierFact, RegisterFact, ReferenceFact, MemberFact,
                 ParameterFact>
        what;
};

/// Holds where all of `all`, one of `any` (if there are) and none of `none` are so.
struct Rule {
    model::Evidence evidence = model::Evidence::kCannotTell;
    std::string form;
    std::string proves;
    Names all, any, none;
};

/*
 * The rules stand beside each other, not in an order: those that hold must agree, or nothing can be
 * told. A fact that cannot be looked up is neither so nor not so, and a rule that hangs on it does
 * not hold. Rejected: the first rule that holds wins. It would hide that two contradict each other.
 */
struct Signature {
    std::vector<Fact> facts;
    std::vector<Rule> rules;

    const Fact* find(const std::string& name) const;
    /// Data symbols that its facts refer to.
    Names symbols() const;
};

/// "a return is reached without a call of sync_icache_aliases or caches_clean_inval_pou".
std::string claim_of(const Fact& fact);

}  // namespace kcost::patch
