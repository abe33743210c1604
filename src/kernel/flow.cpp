#include "kernel/flow.h"

#include <algorithm>

namespace kcost::kernel {
namespace {

bool ends_path(A64Kind kind) {
    return kind == A64Kind::kBranch || kind == A64Kind::kIndirectBranch ||
           kind == A64Kind::kReturn || kind == A64Kind::kExceptionReturn ||
           kind == A64Kind::kUndefined;
}

bool has_branch_target(A64Kind kind) {
    return kind == A64Kind::kBranch || kind == A64Kind::kConditionalBranch;
}

bool makes_frame_record(const A64Instruction& instruction) {
    return instruction.kind == A64Kind::kAddImmediate && instruction.destination == 29 &&
           instruction.source == 31;
}

// Since Linux baaf553d3bc3 ("arm64: Implement HAVE_DYNAMIC_FTRACE_WITH_CALL_OPS") (v6.3): a pointer
// is in front of each function, so at the end of the range of the one before. A path comes to it
// behind a call that does not return, and half a pointer may well look like a branch. No
// instruction starts with 0xffff.
std::size_t count_code_words(const TextRange& function) {
    const std::size_t count = function.words.size();
    const bool literal = count > 2 && function.words.back() >> 16 == 0xffff;
    return literal ? count - 2 : count;
}

}  // namespace

Flow Flow::of(const TextRange& function, const std::set<std::uint64_t>& no_return) {
    Flow flow;
    flow.begin_ = function.begin;
    flow.end_ = function.begin + 4 * count_code_words(function);
    flow.no_return_ = no_return;
    std::vector<std::uint64_t> open;
    if (!function.words.empty()) open.push_back(flow.begin_);
    while (!open.empty()) {
        const std::uint64_t address = open.back();
        open.pop_back();
        if (flow.reaches(address)) continue;
        flow.instructions_.emplace(address, decode_a64(function.word(address), address));
        for (const std::uint64_t next : flow.successors(address)) open.push_back(next);
    }
    return flow;
}

std::vector<std::uint64_t> Flow::successors(std::uint64_t address) const {
    const A64Instruction& instruction = at(address);
    std::vector<std::uint64_t> next;
    const auto add = [&](std::uint64_t to) {
        if (to >= begin_ && to < end_ && (next.empty() || next.front() != to)) next.push_back(to);
    };
    const bool dies = instruction.kind == A64Kind::kCall && no_return_.contains(instruction.target);
    if (!ends_path(instruction.kind) && !dies) add(address + 4);
    if (has_branch_target(instruction.kind)) add(instruction.target);
    return next;
}

std::vector<std::uint64_t> Flow::exits() const {
    const auto tails = tail_calls();
    std::vector<std::uint64_t> found;
    for (const auto& [address, instruction] : instructions_) {
        const A64Kind kind = instruction.kind;
        const bool returns = kind == A64Kind::kReturn || kind == A64Kind::kExceptionReturn;
        if (returns || tails.contains(address)) found.push_back(address);
    }
    return found;
}

std::map<std::uint64_t, std::uint64_t> Flow::tail_calls() const {
    std::map<std::uint64_t, std::uint64_t> found;
    for (const auto& [address, instruction] : instructions_) {
        const std::uint64_t target = instruction.target;
        const bool inside = target >= begin_ && target < end_;
        if (has_branch_target(instruction.kind) && !inside) found[address] = target;
        if (instruction.kind == A64Kind::kIndirectBranch) found[address] = 0;
    }
    return found;
}

std::map<std::uint64_t, std::uint64_t> Flow::calls() const {
    std::map<std::uint64_t, std::uint64_t> found;
    for (const auto& [address, instruction] : instructions_) {
        if (instruction.kind == A64Kind::kCall) found[address] = instruction.target;
    }
    return found;
}

std::set<std::uint64_t> Flow::reachable(std::uint64_t from, const Predicate& stop) const {
    std::set<std::uint64_t> seen;
    std::vector<std::uint64_t> open;
    if (reaches(from)) open.push_back(from);
    while (!open.empty()) {
        const std::uint64_t address = open.back();
        open.pop_back();
        if (!seen.insert(address).second || stop(address, at(address))) continue;
        for (const std::uint64_t next : successors(address)) open.push_back(next);
    }
    return seen;
}

std::vector<std::uint64_t> Flow::armed() const {
    std::vector<std::uint64_t> found;
    for (const auto& [address, instruction] : instructions_) {
        const std::uint64_t immediate = instruction.immediate;
        const bool probe = immediate == 4 || immediate == 5;
        if (instruction.kind == A64Kind::kBreakpoint && probe) found.push_back(address);
    }
    return found;
}

bool Flow::before_frame_record(std::uint64_t address) const {
    const auto stop = [](std::uint64_t, const A64Instruction& instruction) {
        return makes_frame_record(instruction);
    };
    return reachable(begin_, stop).contains(address);
}

std::vector<CallSite> callers_of(const TextRange& text, std::uint64_t address) {
    std::vector<CallSite> found;
    std::uint64_t here = text.begin;
    for (const std::uint32_t word : text.words) {
        const bool jumps = (word & 0x7c000000) == 0x14000000;
        // 26 bits of words, signed, as bytes: shifted up and down again within 32 bits.
        const auto distance = static_cast<std::int32_t>(word << 6) >> 4;
        if (jumps && here + static_cast<std::uint64_t>(std::int64_t{distance}) == address) {
            found.push_back({here, word >> 31 == 0});
        }
        here += 4;
    }
    return found;
}

}  // namespace kcost::kernel
