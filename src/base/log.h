// Messages to the person at the terminal: "kcost: message" on standard error, one line each.
// What a message quotes is made safe for the terminal here. Not for results: those go to stdout.
#pragma once

#include <string_view>

namespace kcost::log {

enum class Level { kDebug, kInfo, kWarn, kOff };

/// Least level that is printed; kInfo until set.
void set_level(Level level);

void debug(std::string_view message);
void info(std::string_view message);
void warn(std::string_view message);

}  // namespace kcost::log
