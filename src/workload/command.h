// One run of a COMMAND that is measured: what it printed, and how long it took.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/signals.h"
#include "workload/runner.h"

namespace kcost::workload {

/// Of what a command prints so much is kept, the last of it.
inline constexpr std::size_t kKeptOutput_bytes = std::size_t{4} << 20;

struct CommandRun {
    std::uint64_t elapsed_ns = 0;
    std::string output;  ///< both streams, as they came
};

/// Hooks are those of a workload; nobody tells of warm-up, ticks and their end. An error where it
/// cannot be started, ends with a status other than 0, takes longer than `longest_ns`, or is
/// interrupted; the last three kill all its processes.
Result<CommandRun> run_command(const std::vector<std::string>& command, std::uint64_t longest_ns,
                               Signals& signals, const Hooks& hooks = {});

}  // namespace kcost::workload
