// The control flow of one function in live text: what its instructions can reach. A walk, never a
// sweep: out-of-line alternatives and ftrace literals between functions never run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "kernel/a64.h"
#include "kernel/live_text.h"

namespace kcost::kernel {

class Flow {
public:
    /// Decodes what is reachable from the range's first word, within the range. BRK goes on at the
    /// next instruction (a WARN returns), UDF ends a path, and so does a bl to one of `no_return`:
    /// what follows a call of __stack_chk_fail is often the replacement of an alternative.
    static Flow of(const TextRange& function, const std::set<std::uint64_t>& no_return = {});

    /// All reachable instructions by address.
    const std::map<std::uint64_t, A64Instruction>& instructions() const { return instructions_; }
    const A64Instruction& at(std::uint64_t address) const { return instructions_.at(address); }
    bool reaches(std::uint64_t address) const { return instructions_.contains(address); }

    /// Where control may go next within the function; a call goes on behind itself.
    std::vector<std::uint64_t> successors(std::uint64_t address) const;

    /// Instructions at which control leaves for good: ret, tail calls (b, b.cond out of the range,
    /// br), eret. Not those that die (brk, udf).
    std::vector<std::uint64_t> exits() const;
    /// Of those the branches that leave for another function, with where to; 0 for br.
    std::map<std::uint64_t, std::uint64_t> tail_calls() const;
    /// Addresses of bl with where to.
    std::map<std::uint64_t, std::uint64_t> calls() const;

    /// Addresses reachable from `from` (itself included), not going beyond an address for which
    /// `stop` is true; those are included, too.
    using Predicate = std::function<bool(std::uint64_t, const A64Instruction&)>;
    std::set<std::uint64_t> reachable(std::uint64_t from, const Predicate& stop) const;

    /// What a probe finds armed here: a kprobe's BRK (immediates 4 and 5) hides the instruction, so
    /// nothing past it is certain.
    std::vector<std::uint64_t> armed() const;

    /// True where a path from the entry comes to the address before the function has made its frame
    /// record (add x29, sp, #n): the link register is then still the caller's.
    bool before_frame_record(std::uint64_t address) const;

    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return end_; }

private:
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;  ///< without the ftrace literal of the function behind
    std::set<std::uint64_t> no_return_;
    std::map<std::uint64_t, A64Instruction> instructions_;
};

struct CallSite {
    std::uint64_t address = 0;
    bool tail = false;  ///< b, not bl
};
/// All b and bl to an address in a range: one pass, some 10 ms for 17 MB.
std::vector<CallSite> callers_of(const TextRange& text, std::uint64_t address);

}  // namespace kcost::kernel
