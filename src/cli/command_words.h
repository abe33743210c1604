// Which words of the command line are a COMMAND: the parser does not tell what stood behind `--`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kcost {

/// The words of a positional argument, parted.
struct Words {
    std::vector<std::string> before;   ///< `--`
    std::vector<std::string> command;  ///< behind it
};

/// `positional`: all words that are no options, in their order. `line`: the command line.
Words part_words(const std::vector<std::string>& positional, const std::vector<std::string>& line);

/// The command line of this process.
Result<std::vector<std::string>> own_command_line();

}  // namespace kcost
