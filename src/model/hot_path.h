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

struct HotPath {
    std::string name;     ///< as the user types it
    std::string summary;  ///< one line for `kcost list`
    std::vector<std::string> functions;
    bool every_function = false;      ///< measure all that exist, not the first that does
    std::vector<std::string> within;  ///< count only inside the first of these that exists
    std::vector<Condition> when;      ///< all must hold
    Split split;
    bool never_preempted = false;  ///< its time is CPU time, so a CPU share may be told
    bool run_queue_lock = false;   ///< its code runs under the run-queue lock: no stacks
    std::string user_path;         ///< a program: functions are its own, not the kernel's
    bool built_in = false;
};

/// The built-in hot paths in the order `kcost list` shows them.
const std::vector<HotPath>& built_in_hot_paths();

/// TARGET of the command line: a built-in name, FUNCTION, MODULE:FUNCTION or PATH:FUNCTION, then
/// settings after commas: within=FUNCTION, when=arg4!=0, when=return==1, split=arg1-arg0,
/// split=return, split=caller. Errors name the part that is wrong.
/// At most one condition on an argument and one on the result: what a probe's two programs check.
Result<HotPath> parse_target(std::string_view text);

/// Its settings for people: "when arg4 != 0 and return == 1, split by caller and length"; may be
/// empty.
std::string describe_settings(const HotPath& path);

}  // namespace kcost::model
