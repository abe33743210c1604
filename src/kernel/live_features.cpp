#include "kernel/live_features.h"

#include <map>
#include <string>

#include "kernel/architecture.h"
#include "kernel/facts.h"
#include "kernel/live_text.h"
#include "kernel/operations.h"
#include "kernel/symbol_lookup.h"

namespace kcost::kernel {
namespace {

// Bit 0 of __icache_flags, ICACHEF_ALIASING, since 4.12: addresses choose the cache line, so that
// one page's code may lie in it several times.
constexpr std::uint64_t kAliasing = 1;

struct Facts {
    std::string idc = kUnknown;
    std::string dic = kUnknown;
    std::string icache = kUnknown;
    std::string tlbi_repeat = kUnknown;
    std::string kpti = kUnknown;

    static Facts all(const std::string& text) { return {text, text, text, text, text}; }
};

const char* yes_no(bool yes) { return yes ? "yes" : "no"; }

// Each function that is there, decoded from one opening of /proc/kcore.
class Functions {
public:
    static Result<Functions> read(const Root& root, const std::vector<std::string>& names) {
        auto symbols = find_many(root, names);
        if (!symbols) return tl::unexpected(symbols.error());
        auto memory = LiveMemory::open(root);
        if (!memory) return tl::unexpected(memory.error());
        Functions functions;
        for (std::size_t i = 0; i < names.size(); i++) {
            if (symbols->at(i).empty()) continue;
            const FoundSymbol& symbol = symbols->at(i).front();
            auto text = memory->text(symbol.address, symbol.end);
            if (text) functions.flows_.emplace(names[i], Flow::of(*text));
        }
        functions.memory_ = std::move(*memory);
        return functions;
    }

    /// Nothing where it is not there, or hides something behind a probe.
    const Flow* find(const std::string& name) const {
        const auto flow = flows_.find(name);
        return flow != flows_.end() && flow->second.armed().empty() ? &flow->second : nullptr;
    }

    const LiveMemory& memory() const { return memory_; }

private:
    std::map<std::string, Flow> flows_;
    LiveMemory memory_;
};

// All global, so that looking them up ends early.
constexpr const char* kCacheFunction = "caches_clean_inval_pou";
constexpr const char* kAliasFunction = "sync_icache_aliases";
// A page's flush for a copy or an unmapping, which no patch made local.
constexpr const char* kFlushFunction = "ptep_clear_flush";

void read_caches(const Functions& functions, Facts& facts) {
    if (const Flow* flow = functions.find(kCacheFunction)) {
        const CacheWork work = cache_work(*flow);
        facts.idc = yes_no(!work.cleans_data);
        facts.dic = yes_no(!work.invalidates_instructions);
    }
    const Flow* flow = functions.find(kAliasFunction);
    const auto address = flow != nullptr ? icache_flags_address(*flow) : std::nullopt;
    if (!address) return;
    const auto flags = functions.memory().read_u64(*address);
    if (flags) facts.icache = (*flags & kAliasing) != 0 ? "VIPT" : "PIPT";
}

void read_broadcast(const Functions& functions, Facts& facts) {
    const Flow* flow = functions.find(kFlushFunction);
    if (flow == nullptr) return;
    const BroadcastFacts found = broadcast_facts(operation_sites(*flow));
    if (!found.found) return;
    facts.tlbi_repeat = yes_no(found.repeated);
    facts.kpti = yes_no(found.user_twin);
}

Facts read_facts(const Root& root) {
    const std::string name = architecture(root);
    if (name.starts_with(kUnknown)) return Facts::all(name);
    if (name != "aarch64") return Facts::all("none (" + name + ")");
    const auto functions = Functions::read(root, {kCacheFunction, kAliasFunction, kFlushFunction});
    if (!functions) return Facts::all(std::string(kUnknown) + " (" + functions.error().what + ")");
    Facts facts;
    read_caches(*functions, facts);
    read_broadcast(*functions, facts);
    return facts;
}

}  // namespace

CacheWork cache_work(const Flow& flow) {
    CacheWork work;
    for (const auto& [address, instruction] : flow.instructions()) {
        work.cleans_data = work.cleans_data || instruction.kind == A64Kind::kDataCache;
        work.invalidates_instructions =
            work.invalidates_instructions || instruction.kind == A64Kind::kInstructionCache;
    }
    return work;
}

std::optional<std::uint64_t> icache_flags_address(const Flow& flow) {
    std::map<unsigned, std::uint64_t> pages;
    std::uint64_t address = flow.begin();
    while (flow.reaches(address)) {
        const A64Instruction& instruction = flow.at(address);
        if (instruction.kind == A64Kind::kPageAddress) {
            pages[instruction.destination] = instruction.target;
        }
        const bool loads = instruction.kind == A64Kind::kLoadImmediate;
        if (loads && pages.contains(instruction.source)) {
            return pages[instruction.source] + instruction.immediate;
        }
        const auto next = flow.successors(address);
        if (next.size() != 1) break;
        address = next.front();
    }
    return std::nullopt;
}

void add_live_facts(const Root& root, model::Machine& machine) {
    const Facts facts = read_facts(root);
    machine.emplace_back("cpu.idc", facts.idc);
    machine.emplace_back("cpu.dic", facts.dic);
    machine.emplace_back("cpu.icache", facts.icache);
    machine.emplace_back("cpu.tlbi_repeat", facts.tlbi_repeat);
    machine.emplace_back("cpu.kpti", facts.kpti);
}

}  // namespace kcost::kernel
