#include "kernel/path.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace kcost::kernel {
namespace {

// MSR (immediate) daifset, bits 3 to 0 of the immediate: D, A, I, F.
constexpr std::uint32_t kDaifSetMask = 0xfffff0ff;
constexpr std::uint32_t kDaifSet = 0xd50340df;
constexpr std::uint32_t kInterruptBit = 2 << 8;
// MSR (register) icc_pmr_el1 (s3_0_c4_c6_0).
constexpr std::uint32_t kWritePriorityMask = 0xd5184600;
// A register with a page's address is used soon; more states than this are a hostile text's.
constexpr std::size_t kMostStates = 4096;

/// What a register holds at an instruction: the address that adrp, and adds behind it, have made.
struct State {
    std::uint64_t at;
    unsigned reg;
    std::uint64_t value;
    bool operator<(const State& other) const {
        return std::tie(at, reg, value) < std::tie(other.at, other.reg, other.value);
    }
};

class References {
public:
    References(const Flow& flow, const std::set<std::uint64_t>& region, std::uint64_t wanted)
        : flow_(flow), region_(region), wanted_(wanted) {}

    std::vector<std::uint64_t> find() {
        for (const std::uint64_t address : region_) {
            const A64Instruction& instruction = flow_.at(address);
            if (instruction.kind != A64Kind::kPageAddress) continue;
            go_on(address, instruction.destination, instruction.target);
            while (!open_.empty() && seen_.size() < kMostStates) {
                const State state = *open_.begin();
                open_.erase(open_.begin());
                step(state);
            }
        }
        return {found_.begin(), found_.end()};
    }

private:
    void go_on(std::uint64_t behind, unsigned reg, std::uint64_t value) {
        for (const std::uint64_t next : flow_.successors(behind)) {
            const State state{next, reg, value};
            if (region_.contains(next) && seen_.insert(state).second) open_.insert(state);
        }
    }

    void step(const State& state) {
        const A64Instruction& instruction = flow_.at(state.at);
        const bool adds = instruction.kind == A64Kind::kAddImmediate;
        const bool loads = instruction.kind == A64Kind::kLoadImmediate;
        const bool uses = (adds || loads) && instruction.source == state.reg;
        const std::uint64_t sum = state.value + instruction.immediate;
        if (uses && sum == wanted_) found_.insert(state.at);
        if (uses && adds) go_on(state.at, instruction.destination, sum);
        const bool writes = adds || loads || instruction.kind == A64Kind::kLoadScaled ||
                            instruction.kind == A64Kind::kPageAddress ||
                            instruction.kind == A64Kind::kReadSystem;
        if (!writes || instruction.destination != state.reg)
            go_on(state.at, state.reg, state.value);
    }

    const Flow& flow_;
    const std::set<std::uint64_t>& region_;
    std::uint64_t wanted_;
    std::set<State> open_;
    std::set<State> seen_;
    std::set<std::uint64_t> found_;
};

}  // namespace

std::vector<std::uint64_t> shortest_way(const Flow& flow, std::uint64_t from,
                                        const Flow::Predicate& goal, const Flow::Predicate& avoid) {
    std::map<std::uint64_t, std::uint64_t> came_from;
    std::deque<std::uint64_t> open;
    const auto visit = [&](std::uint64_t address, std::uint64_t before) {
        if (!flow.reaches(address) || avoid(address, flow.at(address))) return;
        if (came_from.emplace(address, before).second) open.push_back(address);
    };
    visit(from, from);
    while (!open.empty()) {
        std::uint64_t address = open.front();
        open.pop_front();
        if (!goal(address, flow.at(address))) {
            for (const std::uint64_t next : flow.successors(address)) visit(next, address);
            continue;
        }
        std::vector<std::uint64_t> way = {address};
        for (; address != from; way.push_back(address)) address = came_from.at(address);
        std::reverse(way.begin(), way.end());
        return way;
    }
    return {};
}

bool masks_interrupts(const A64Instruction& instruction) {
    const std::uint32_t word = instruction.word;
    const bool daif = (word & kDaifSetMask) == kDaifSet && (word & kInterruptBit) != 0;
    return daif || (word & ~31u) == kWritePriorityMask;
}

std::vector<std::uint64_t> references_to(const Flow& flow, const std::set<std::uint64_t>& region,
                                         std::uint64_t address) {
    return References(flow, region, address).find();
}

}  // namespace kcost::kernel
