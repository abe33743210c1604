// From an address to its place, and from a function to the instructions at which it is left.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "kernel/flow.h"
#include "kernel/root.h"
#include "kernel/symbol_lookup.h"
#include "model/hot_path.h"
#include "probe/span_programs.h"

namespace kcost::probe {

struct FoundInstruction {
    kernel::FoundSymbol function;
    std::uint64_t address = 0;
    bool frame_record = true;  ///< its function has made its frame record there, as far as is known
    std::string unread{};      ///< why its surroundings are not known; empty: they are
};

/// The instruction that a target names by address or by function and offset. Errors: no function
/// there, not the start of an instruction, never reached, or where a stop hangs the CPU.
Result<FoundInstruction> find_instruction(const kernel::Root& root, const model::HotPath& target);

Place place_of(const FoundInstruction& instruction);

/// Error where a breakpoint at the entry of the function with this flow would hang the CPU. A flow
/// that cannot be read tells nothing.
Result<void> check_breakpoint(const Result<kernel::Flow>& flow, const Place& function);

/// Fills in where breakpoints see the returns of the place's function, or why they cannot.
void add_exits(const Result<kernel::Flow>& flow, Place& place);

}  // namespace kcost::probe
