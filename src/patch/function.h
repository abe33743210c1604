// Functions of the kernel under test, found by name and decoded, with the reason where that is not
// to be trusted.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/flow.h"
#include "model/patch_finding.h"
#include "patch/signature.h"
#include "patch/subject.h"

namespace kcost::patch {

struct Function {
    std::string name;
    kernel::Flow flow;
    /// Branches that end it in another function's place, so that one returns for it.
    std::set<std::uint64_t> tail_calls;
    /// Branches to where its flow is not followed: br, its own cold piece, amid another function.
    std::set<std::uint64_t> hidden;

    /// Calls (bl, and branches in a call's place) of one of these addresses.
    bool calls(std::uint64_t at, const std::set<std::uint64_t>& addresses) const;
};

/// Looks each name up once.
class Functions {
public:
    explicit Functions(const Subject& subject);

    /// Where a place is. Errors say why it cannot be told: no such function, several, a probe in
    /// it, or its entry leads elsewhere.
    Result<Function> at(const Place& place);
    /// Those called in a function whose names are like one of these, without those in doubt.
    std::vector<Function> called_in(const Function& function, const Names& names);
    /// Addresses of all functions with one of these names (or globs), compiler variants included.
    const std::set<std::uint64_t>& addresses(const Names& names);

    model::ShownInstruction show(const kernel::A64Instruction& instruction,
                                 std::uint64_t address) const;

private:
    Result<Function> by_name(const Names& names);
    Result<Function> that_calls(const std::string& callee);
    Result<Function> decode(const kernel::Symbol& symbol) const;
    void sort_tails(Function& function) const;
    std::string name_of(std::uint64_t address) const;

    const Subject& subject_;
    std::set<std::uint64_t> no_return_;
    std::map<Names, std::set<std::uint64_t>> addresses_;
};

}  // namespace kcost::patch
