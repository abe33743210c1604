#include "probe/instruction_plan.h"

#include <fmt/format.h>

#include "kernel/architecture.h"
#include "kernel/exclusive.h"
#include "kernel/kernel_text.h"
#include "kernel/missing_function.h"
#include "kernel/symbols.h"

namespace kcost::probe {
namespace {

constexpr std::uint64_t kInstructionBytes = 4;
constexpr const char* kInExclusiveSequence =
    "a stop between a load-exclusive and its store has the loop around them run for ever";

tl::unexpected<Error> not_there(const std::string& what, const std::string& hint = "") {
    return fail(what, hint, ExitCode::kCannotHere);
}

Result<FoundInstruction> by_address(const kernel::Root& root, std::uint64_t address) {
    auto symbols = kernel::Symbols::read(root);
    if (!symbols) return tl::unexpected(symbols.error());
    auto location = symbols->resolve(address);
    if (!location) return not_there(fmt::format("no kernel function is at {:#x}", address));
    const kernel::Symbol& symbol = location->symbol;
    std::uint64_t end = symbol.size ? symbol.address + symbol.size : 0;
    return FoundInstruction{
        {std::string(symbol.name), std::string(symbol.module), symbol.address, end, symbol.global},
        address};
}

Result<FoundInstruction> by_offset(const kernel::Root& root, const std::string& name,
                                   std::uint64_t offset) {
    auto found = kernel::find_many(root, {name});
    if (!found) return tl::unexpected(found.error());
    const auto& functions = found->front();
    if (functions.empty()) {
        return tl::unexpected(kernel::missing_function(root, name));
    }
    if (functions.size() > 1 && functions[0].address != functions[1].address) {
        return not_there(fmt::format("{} functions are named {}", functions.size(), name),
                         "name the instruction by its address: 0x and the digits of kallsyms");
    }
    const kernel::FoundSymbol& function = functions.front();
    if (function.end && offset >= function.end - function.address) {
        return not_there(
            fmt::format("{} has {} bytes only", name, function.end - function.address));
    }
    return FoundInstruction{function, function.address + offset};
}

// Where live text can be read, the instruction must be one that runs.
Result<FoundInstruction> check_flow(const kernel::Root& root, FoundInstruction found) {
    if (kernel::architecture(root) != "aarch64") return found;
    if (found.address % kInstructionBytes) {
        return not_there(fmt::format("no instruction begins at {:#x}", found.address),
                         "instructions begin at multiples of 4");
    }
    auto flow = kernel::read_flow(root, found.function.address, found.function.end);
    if (!flow) {
        found.unread = flow.error().what;
        return found;
    }
    if (!flow->reaches(found.address)) {
        return not_there(fmt::format("{} never comes to {:#x}: what is there is no code that runs",
                                     found.function.name, found.address));
    }
    if (kernel::in_exclusive_sequence(*flow, found.address)) {
        return not_there(kInExclusiveSequence, "name an instruction before or behind the loop");
    }
    found.frame_record = !flow->before_frame_record(found.address);
    return found;
}

}  // namespace

Result<FoundInstruction> find_instruction(const kernel::Root& root, const model::HotPath& target) {
    auto found = target.address ? by_address(root, target.address)
                                : by_offset(root, target.functions.front(), target.offset);
    if (!found) return found;
    return check_flow(root, std::move(*found));
}

Place place_of(const FoundInstruction& instruction) {
    Place place;
    place.function = instruction.function.name;
    place.label =
        fmt::format("{}+{:#x}", place.function, instruction.address - instruction.function.address);
    place.address = instruction.address;
    place.by_address = true;
    place.amid = true;
    place.frame_record = instruction.frame_record;
    return place;
}

Result<void> check_breakpoint(const Result<kernel::Flow>& flow, const Place& function) {
    bool hangs = flow && kernel::in_exclusive_sequence(*flow, function.address);
    if (hangs) return not_there(kInExclusiveSequence);
    return {};
}

void add_exits(const Result<kernel::Flow>& flow, Place& place) {
    if (!flow) {
        place.no_exits = flow.error().what;
    } else if (!flow->armed().empty()) {
        place.no_exits = "a probe in it hides where it goes";
    } else {
        place.exits = flow->exits();
        if (place.exits.empty()) place.no_exits = "it never returns";
        for (std::uint64_t exit : place.exits) {
            if (kernel::in_exclusive_sequence(*flow, exit)) place.no_exits = kInExclusiveSequence;
        }
    }
}

}  // namespace kcost::probe
