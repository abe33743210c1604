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

/// What the parser is given: to it a word in brackets is a list, which it would take apart. Behind
/// `--` another word stands for it; part_words() takes those from the command line itself.
std::vector<std::string> words_for_parser(const std::vector<std::string>& line);

/// The command line of this process.
Result<std::vector<std::string>> own_command_line();

}  // namespace kcost
