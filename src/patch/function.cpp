#include "patch/function.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/disassembly.h"
#include "kernel/kallsyms_line.h"

namespace kcost::patch {
namespace {

using kernel::A64Instruction;
using kernel::A64Kind;
using kernel::Flow;
using kernel::Symbol;

// A livepatch of old, or somebody's detour, replaces the first words by a branch.
constexpr std::uint64_t kEntryBytes = 16;

bool leads_elsewhere(const Flow& flow) {
    const auto tails = flow.tail_calls();
    return std::any_of(tails.begin(), tails.end(), [&](const auto& tail) {
        const A64Kind kind = flow.at(tail.first).kind;
        return tail.first < flow.begin() + kEntryBytes &&
               (kind == A64Kind::kBranch || kind == A64Kind::kIndirectBranch);
    });
}

bool is_glob(const std::string& name) { return name.find_first_of("*?[") != name.npos; }

std::string one_of(const Names& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
    return text;
}

// Several names of one address are one function.
std::vector<Symbol> distinct(std::vector<Symbol> symbols) {
    std::sort(symbols.begin(), symbols.end(),
              [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
    const auto same = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
    return symbols;
}

}  // namespace

bool Function::calls(std::uint64_t at, const std::set<std::uint64_t>& addresses) const {
    const A64Instruction& instruction = flow.at(at);
    const bool jumps = instruction.kind == A64Kind::kCall || instruction.kind == A64Kind::kBranch ||
                       instruction.kind == A64Kind::kConditionalBranch;
    return jumps && addresses.contains(instruction.target);
}

Functions::Functions(const Subject& subject) : subject_(subject) {
    no_return_ = addresses({"__stack_chk_fail"});
}

const std::set<std::uint64_t>& Functions::addresses(const Names& names) {
    const auto known = addresses_.find(names);
    if (known != addresses_.end()) return known->second;
    std::set<std::uint64_t>& found = addresses_[names];
    for (const std::string& name : names) {
        const kernel::Symbols& symbols = subject_.kernel.symbols;
        for (const Symbol& symbol :
             is_glob(name) ? symbols.match(name) : symbols.find_variants(name)) {
            found.insert(symbol.address);
        }
    }
    return found;
}

Result<Function> Functions::decode(const Symbol& symbol) const {
    const std::string name(symbol.name);
    const kernel::TextRange& text = subject_.kernel.text;
    const std::uint64_t end = symbol.address + symbol.size;
    if (symbol.size < 4 || !text.contains(symbol.address) || !text.contains(end - 4)) {
        return fail(name + " is not in the kernel's own text");
    }
    const auto first =
        text.words.begin() + static_cast<std::ptrdiff_t>((symbol.address - text.begin) / 4);
    const kernel::TextRange range{symbol.address,
                                  {first, first + static_cast<std::ptrdiff_t>(symbol.size / 4)}};
    Function function{name, Flow::of(range, no_return_), {}, {}};
    sort_tails(function);
    const auto armed = function.flow.armed();
    if (!armed.empty()) {
        return fail(fmt::format("a kprobe hides the instruction at {}+{:#x}", name,
                                armed.front() - symbol.address),
                    "run again when nothing probes " + name);
    }
    if (subject_.livepatched.contains(name)) {
        return fail(name + " is livepatched: what runs is not what is there");
    }
    if (leads_elsewhere(function.flow)) {
        return fail(name + " leads elsewhere from its first instructions: it was replaced");
    }
    return function;
}

void Functions::sort_tails(Function& function) const {
    for (const auto& [address, target] : function.flow.tail_calls()) {
        const auto to = subject_.kernel.symbols.resolve(target);
        const bool known = to && to->offset == 0 && !kernel::is_cold(to->symbol.name);
        (known ? function.tail_calls : function.hidden).insert(address);
    }
}

Result<Function> Functions::by_name(const Names& names) {
    for (const std::string& name : names) {
        const auto found = distinct(subject_.kernel.symbols.find_variants(name));
        if (found.empty()) continue;
        if (found.size() == 1) return decode(found.front());
        return fail(fmt::format("{} functions are called {} here", found.size(), name));
    }
    return fail("this kernel has no function " + one_of(names));
}

Result<Function> Functions::that_calls(const std::string& callee) {
    const std::set<std::uint64_t> wanted = addresses({callee});
    if (wanted.empty()) return fail("this kernel has no function " + callee);
    std::vector<Symbol> callers;
    for (const std::uint64_t address : wanted) {
        for (const kernel::CallSite& site : kernel::callers_of(subject_.kernel.text, address)) {
            const auto location = subject_.kernel.symbols.resolve(site.address);
            if (location) callers.push_back(location->symbol);
        }
    }
    callers = distinct(std::move(callers));
    if (callers.size() == 1) return decode(callers.front());
    return fail(fmt::format("{} functions call {} here, not one", callers.size(), callee));
}

Result<Function> Functions::at(const Place& place) {
    return place.that_calls.empty() ? by_name(place.functions) : that_calls(place.that_calls);
}

std::vector<Function> Functions::called_in(const Function& function, const Names& names) {
    std::vector<Function> found;
    if (names.empty()) return found;
    const std::set<std::uint64_t> wanted = addresses(names);
    std::set<std::uint64_t> taken;
    for (const auto& [address, instruction] : function.flow.instructions()) {
        const std::uint64_t target = instruction.target;
        if (!function.calls(address, wanted) || !taken.insert(target).second) continue;
        const auto location = subject_.kernel.symbols.resolve(target);
        if (!location) continue;
        auto called = decode(location->symbol);
        if (called) found.push_back(std::move(*called));
    }
    return found;
}

std::string Functions::name_of(std::uint64_t address) const {
    const auto location = subject_.kernel.symbols.resolve(address);
    if (location) return to_string(*location);
    for (const auto& [name, at] : subject_.data) {
        if (at == address) return name;
    }
    return "";
}

model::ShownInstruction Functions::show(const A64Instruction& instruction,
                                        std::uint64_t address) const {
    model::ShownInstruction shown;
    shown.address = address;
    shown.word = instruction.word;
    shown.place = name_of(address);
    shown.text = kernel::disassemble(instruction.word, address);
    const bool jumps = instruction.kind == A64Kind::kCall || instruction.kind == A64Kind::kBranch ||
                       instruction.kind == A64Kind::kConditionalBranch;
    const std::string to = jumps ? name_of(instruction.target) : "";
    if (!to.empty()) shown.text += " <" + to + ">";
    return shown;
}

}  // namespace kcost::patch
