// The schedule of boots of a comparison, and the unit that measures after each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kcost {

/// One line a boot: `after[i]` tells the side of the i-th. `command`: what is measured, without -o.
std::string render_boot_plan(const std::vector<bool>& after, std::uint64_t seed,
                             const std::vector<std::string>& command);

/// A oneshot unit of systemd that runs the command in a folder at each boot.
std::string render_systemd_unit(const std::vector<std::string>& command, const std::string& folder);

/// As a shell takes it back.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace kcost
