// A target: what is measured, and under which conditions. Hot paths are data: the built-in ones
// are rows of hot_paths.cpp, the user's are made by parse_target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kcost::model {

/// An argument by number from 0 ("arg4"), or the result ("return").
struct Operand {
    bool is_return = false;
    unsigned argument = 0;
};

struct Condition {
    Operand operand;
    std::string op;  ///< one of == != < <= > >=, unsigned
    std::uint64_t value = 0;
};

/// What the figures of a target are told apart by: a direct caller, a value (an operand, or the
/// difference of two), or both.
struct Split {
    bool by_caller = false;
    std::optional<Operand> value;
    std::optional<Operand> minus;
    std::string value_name;  ///< heading, such as "length"
};

/// TLB maintenance that functions inline, found in live text: each TLBI … DSB sequence is a site.
struct Operation {
    bool broadcast = false;  ///< to other CPUs too, else this CPU's own TLB only
    bool one_page = false;   ///< only of a single page, not in a loop over pages
    std::string in;          ///< only those in this function; empty: in all kernel text
};

struct HotPath {
    std::string name;                    ///< as the user types it
    std::string summary;                 ///< one line for `kcost list`
    std::string blind_spot;              ///< what goes elsewhere and is not seen here; may be empty
    std::vector<std::string> functions;  ///< none: an operation or an address
    std::optional<Operation> operation;
    std::uint64_t address = 0;        ///< of an instruction; 0: functions
    std::uint64_t offset = 0;         ///< of an instruction from its function's start
    std::string mechanism;            ///< only this one; empty: the cheapest that works
    bool every_function = false;      ///< measure all that exist, not the first that does
    std::vector<std::string> within;  ///< count only inside the first of these that exists
    std::vector<Condition> when;      ///< all must hold
    Split split;
    bool never_preempted = false;  ///< its time is CPU time, so a CPU share may be told
    bool run_queue_lock = false;   ///< its code runs under the run-queue lock: no stacks
    std::string user_path;         ///< a program: functions are its own, not the kernel's
    bool built_in = false;
    bool only_by_name = false;  ///< dear, or in another row already: not among the default targets
};

/// The built-in hot paths in the order `kcost list` shows them.
const std::vector<HotPath>& built_in_hot_paths();

/// TARGET of the command line: a built-in name, FUNCTION, MODULE:FUNCTION, PATH:FUNCTION,
/// FUNCTION+0xOFFSET or 0xADDRESS, then settings after commas: within=FUNCTION, when=arg4!=0,
/// when=return==1, split=arg1-arg0, split=return, split=caller, by=MECHANISM and, for an operation,
/// in=FUNCTION. Errors name the part that is wrong.
/// At most one condition on an argument and one on the result: what a probe's two programs check.
Result<HotPath> parse_target(std::string_view text);

/// A single instruction amid a function: it has an entry and no exit.
bool is_instruction(const HotPath& path);

/// Its settings for people: "when arg4 != 0 and return == 1, split by caller and length"; may be
/// empty.
std::string describe_settings(const HotPath& path);

}  // namespace kcost::model
