#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "base/text.h"

namespace kcost::log {
namespace {

spdlog::logger& logger() {
    // Never destroyed: destructors of other statics may still log.
    static auto* const instance = [] {
        auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
        sink->set_pattern("kcost: %v");
        return new spdlog::logger("kcost", std::move(sink));
    }();
    return *instance;
}

void write(spdlog::level::level_enum level, std::string_view message) {
    if (logger().should_log(level)) logger().log(level, escape_for_terminal(message));
}

}  // namespace

void set_level(Level level) {
    switch (level) {
        case Level::kDebug:
            return logger().set_level(spdlog::level::debug);
        case Level::kInfo:
            return logger().set_level(spdlog::level::info);
        case Level::kWarn:
            return logger().set_level(spdlog::level::warn);
        case Level::kOff:
            return logger().set_level(spdlog::level::off);
    }
}

void debug(std::string_view message) { write(spdlog::level::debug, message); }
void info(std::string_view message) { write(spdlog::level::info, message); }
void warn(std::string_view message) { write(spdlog::level::warn, message); }

}  // namespace kcost::log
