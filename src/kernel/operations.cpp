#include "kernel/operations.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

namespace kcost::kernel {
namespace {

constexpr unsigned kZeroRegister = 31;
// Alternatives leave a few nops and a branch between a barrier and its repetition.
constexpr unsigned kChainSteps = 8;
// Behind a barrier the stack pointer comes back within an epilogue, if at all.
constexpr unsigned kEpilogueSteps = 8;

bool is_repetition(const A64Instruction& instruction) {
    return instruction.kind == A64Kind::kTlbi && instruction.tlb->by_address &&
           instruction.destination == kZeroRegister;
}

bool is_operation(const A64Instruction& instruction) {
    return instruction.kind == A64Kind::kTlbi && !is_repetition(instruction);
}

bool is_broadcast(const A64Instruction& instruction) {
    return instruction.tlb->scope != TlbScope::kLocal;
}

bool is_barrier(const A64Instruction& instruction) {
    return instruction.kind == A64Kind::kDsb && !instruction.stores_only;
}

bool orders_stores(const A64Instruction& instruction) {
    return instruction.kind == A64Kind::kDsb && instruction.stores_only;
}

// What runs from a place up to the barriers that follow it.
struct Reach {
    std::set<std::uint64_t> operations;
    std::set<std::uint64_t> barriers;
    bool escapes = false;      // leaves the function, or comes to another sequence, before one
    bool bare_escape = false;  // the same before any operation
    bool returns = false;      // comes back to where it began
};

class Explorer {
public:
    explicit Explorer(const Flow& flow) : flow_(flow) {
        for (const std::uint64_t address : flow.exits()) exits_.insert(address);
    }

    Reach from(std::uint64_t start) const {
        Reach reach;
        // An address counts twice: before and after an operation was seen on the way.
        std::set<std::pair<std::uint64_t, bool>> seen;
        std::deque<std::pair<std::uint64_t, bool>> open = {{start, false}};
        while (!open.empty()) {
            auto [address, flushed] = open.front();
            open.pop_front();
            if (!seen.insert({address, flushed}).second) continue;
            const A64Instruction& instruction = flow_.at(address);
            if (is_operation(instruction)) {
                reach.operations.insert(address);
                flushed = true;
            }
            if (stops(reach, address, start, flushed)) continue;
            for (const std::uint64_t next : flow_.successors(address)) {
                reach.returns = reach.returns || next == start;
                open.emplace_back(next, flushed);
            }
        }
        return reach;
    }

private:
    bool stops(Reach& reach, std::uint64_t address, std::uint64_t start, bool flushed) const {
        const A64Instruction& instruction = flow_.at(address);
        if (is_barrier(instruction)) {
            reach.barriers.insert(address);
            return true;
        }
        const bool another = orders_stores(instruction) && address != start;
        if (!another && !exits_.contains(address)) return false;
        reach.escapes = true;
        reach.bare_escape = reach.bare_escape || !flushed;
        return true;
    }

    const Flow& flow_;
    std::set<std::uint64_t> exits_;
};

// The repetition that follows a barrier, by nops and branches only.
std::optional<std::uint64_t> repetition_after(const Flow& flow, std::uint64_t barrier) {
    std::uint64_t address = barrier;
    for (unsigned step = 0; step < kChainSteps; step++) {
        const auto next = flow.successors(address);
        if (next.size() != 1) return std::nullopt;
        address = next.front();
        const A64Instruction& instruction = flow.at(address);
        if (is_repetition(instruction)) return address;
        if (instruction.kind != A64Kind::kNop && instruction.kind != A64Kind::kBranch) break;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> barrier_after(const Flow& flow, std::uint64_t address) {
    for (unsigned step = 0; step < kChainSteps; step++) {
        const auto next = flow.successors(address);
        if (next.size() != 1) return std::nullopt;
        address = next.front();
        if (is_barrier(flow.at(address))) return address;
    }
    return std::nullopt;
}

std::uint64_t last_barrier(const Flow& flow, std::uint64_t barrier, bool& repeated) {
    for (unsigned times = 0; times < 2; times++) {
        const auto repetition = repetition_after(flow, barrier);
        const auto next = repetition ? barrier_after(flow, *repetition) : std::nullopt;
        if (!next) break;
        repeated = true;
        barrier = *next;
    }
    return barrier;
}

// Bytes by which the stack pointer changes on the shortest way from one address to another.
std::optional<std::int64_t> stack_change(const Flow& flow, std::uint64_t from, std::uint64_t to) {
    std::set<std::uint64_t> seen;
    std::deque<std::pair<std::uint64_t, std::int64_t>> open = {{from, 0}};
    while (!open.empty()) {
        const auto [address, change] = open.front();
        open.pop_front();
        if (address == to) return change;
        if (!seen.insert(address).second) continue;
        const std::int64_t after = change + stack_pointer_change(flow.at(address).word);
        for (const std::uint64_t next : flow.successors(address)) open.emplace_back(next, after);
    }
    return std::nullopt;
}

// Behind the barrier, where the stack pointer is what it was at the entry and a kprobe is taken.
std::optional<std::uint64_t> exit_behind(const Flow& flow, std::uint64_t entry,
                                         std::uint64_t barrier) {
    auto next = flow.successors(barrier);
    if (next.empty()) return std::nullopt;
    std::uint64_t address = next.front();
    auto change = stack_change(flow, entry, address);
    for (unsigned step = 0; change && step < kEpilogueSteps; step++) {
        if (*change == 0 && may_take_kprobe(flow.at(address).word)) return address;
        *change += stack_pointer_change(flow.at(address).word);
        next = flow.successors(address);
        if (next.size() != 1) break;
        address = next.front();
    }
    return std::nullopt;
}

std::string name_of(const A64Instruction& instruction) {
    switch (instruction.tlb->scope) {
        case TlbScope::kLocal:
            return instruction.tlb->name;
        case TlbScope::kInnerShareable:
            return instruction.tlb->name + "is";
        case TlbScope::kOuterShareable:
            return instruction.tlb->name + "os";
    }
    return instruction.tlb->name;
}

bool is_process_page(const A64Instruction& instruction) {
    return instruction.tlb->name == "vale1" || instruction.tlb->name == "vae1";
}

// What may run behind an instruction, up to and with the barriers that follow it.
std::set<std::uint64_t> up_to_barriers(const Flow& flow, std::uint64_t address) {
    const auto stop = [](std::uint64_t, const A64Instruction& i) { return is_barrier(i); };
    std::set<std::uint64_t> found;
    for (const std::uint64_t next : flow.successors(address))
        found.merge(flow.reachable(next, stop));
    return found;
}

bool comes_back(const Flow& flow, std::uint64_t address) {
    return up_to_barriers(flow, address).contains(address);
}

// KPTI's second TLBI is a conditional one of the same kind that follows the first.
bool has_twin(const Flow& flow, const std::set<std::uint64_t>& operations) {
    for (const std::uint64_t first : operations) {
        for (const std::uint64_t address : up_to_barriers(flow, first)) {
            const bool same = address != first && operations.contains(address) &&
                              name_of(flow.at(address)) == name_of(flow.at(first));
            if (same) return true;
        }
    }
    return false;
}

OperationSite make_site(const Flow& flow, std::uint64_t entry, const Reach& reach) {
    OperationSite site;
    site.entry = entry;
    site.in_loop = reach.returns;
    site.escapes = reach.escapes;
    site.frame_record = !flow.before_frame_record(entry);
    site.one_page = true;
    for (const std::uint64_t address : reach.operations) {
        const A64Instruction& instruction = flow.at(address);
        site.broadcast = site.broadcast || is_broadcast(instruction);
        site.one_page = site.one_page && is_process_page(instruction) && !comes_back(flow, address);
        const std::string name = name_of(instruction);
        const auto& names = site.operations;
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            site.operations.push_back(name);
        }
    }
    site.user_twin = site.one_page && has_twin(flow, reach.operations);
    std::set<std::uint64_t> exits;
    for (const std::uint64_t barrier : reach.barriers) {
        const auto exit = exit_behind(flow, entry, last_barrier(flow, barrier, site.repeated));
        if (exit) exits.insert(*exit);
        site.escapes = site.escapes || !exit;
    }
    site.exits.assign(exits.begin(), exits.end());
    return site;
}

// In the order of the flow: what begins a sequence comes before what is in it.
std::vector<std::uint64_t> in_flow_order(const Flow& flow) {
    std::vector<std::uint64_t> order;
    std::set<std::uint64_t> seen;
    std::deque<std::uint64_t> open = {flow.begin()};
    while (!open.empty()) {
        const std::uint64_t address = open.front();
        open.pop_front();
        if (!flow.reaches(address) || !seen.insert(address).second) continue;
        order.push_back(address);
        for (const std::uint64_t next : flow.successors(address)) open.push_back(next);
    }
    return order;
}

// A way past the operations is a loop of no turns only.
bool begins_sequence(const Flow& flow, const Reach& reach) {
    if (reach.operations.empty() || reach.returns) return false;
    return !reach.bare_escape ||
           std::all_of(reach.operations.begin(), reach.operations.end(),
                       [&](std::uint64_t address) { return comes_back(flow, address); });
}

std::set<std::uint64_t> functions_without_return(const Symbols& symbols) {
    std::set<std::uint64_t> found;
    for (const Symbol& symbol : symbols.find("__stack_chk_fail")) found.insert(symbol.address);
    return found;
}

}  // namespace

std::vector<OperationSite> operation_sites(const Flow& flow) {
    const Explorer explorer(flow);
    const std::vector<std::uint64_t> order = in_flow_order(flow);
    std::vector<OperationSite> sites;
    std::set<std::uint64_t> covered;
    const auto add = [&](std::uint64_t entry, const Reach& reach) {
        sites.push_back(make_site(flow, entry, reach));
        covered.insert(reach.operations.begin(), reach.operations.end());
    };
    for (const std::uint64_t address : order) {
        if (!orders_stores(flow.at(address))) continue;
        const Reach reach = explorer.from(address);
        if (begins_sequence(flow, reach)) add(address, reach);
    }
    for (const std::uint64_t address : order) {
        if (!is_operation(flow.at(address)) || covered.contains(address)) continue;
        add(address, explorer.from(address));
    }
    std::sort(sites.begin(), sites.end(),
              [](const OperationSite& a, const OperationSite& b) { return a.entry < b.entry; });
    return sites;
}

std::vector<FoundOperation> find_operations(const TextRange& text, const Symbols& symbols) {
    std::vector<FoundOperation> found;
    std::set<std::uint64_t> walked;
    const std::set<std::uint64_t> no_return = functions_without_return(symbols);
    for (std::size_t i = 0; i < text.words.size(); i++) {
        if (!is_tlbi(text.words[i])) continue;
        const auto location = symbols.resolve(text.begin + 4 * i);
        if (!location || !walked.insert(location->symbol.address).second) continue;
        const Symbol& function = location->symbol;
        if (function.name.starts_with("__kvm_nvhe_")) continue;
        TextRange range;
        range.begin = function.address;
        for (std::uint64_t at = range.begin; at < range.begin + function.size; at += 4) {
            range.words.push_back(text.word(at));
        }
        // What KVM flushes there are a guest's pages.
        const bool of_guest = function.name.starts_with("__kvm_");
        for (OperationSite& site : operation_sites(Flow::of(range, no_return))) {
            site.one_page = site.one_page && !of_guest;
            found.push_back({std::string(function.name), function.address, std::move(site)});
        }
    }
    return found;
}

BroadcastFacts broadcast_facts(const std::vector<OperationSite>& sites) {
    BroadcastFacts facts;
    for (const OperationSite& site : sites) {
        if (!site.broadcast || !site.one_page) continue;
        facts.found = true;
        facts.repeated = facts.repeated || site.repeated;
        facts.user_twin = facts.user_twin || site.user_twin;
    }
    return facts;
}

}  // namespace kcost::kernel
