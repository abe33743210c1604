#include "model/hot_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kcost::model {
namespace {

constexpr unsigned kArguments = 8;  // those that travel in registers on arm64
constexpr const char* kSettingsHint =
    "settings are within=FUNCTION, when=arg0..arg7|return OPERATOR NUMBER with one of "
    "== != < <= > >=, split=caller, split=arg0..arg7|return and split=argN-argM";

tl::unexpected<Error> wrong(std::string_view part, std::string_view cause,
                            std::string hint = kSettingsHint) {
    return fail(fmt::format("cannot take '{}': {}", escape_for_terminal(part), cause),
                std::move(hint), ExitCode::kUsage);
}

bool consists_of(std::string_view text, std::string_view punctuation) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || punctuation.find(c) != std::string_view::npos;
    });
}

Result<std::string> parse_function_name(std::string_view whole, std::string_view name) {
    if (name.empty()) return wrong(whole, "the function's name is empty", "name one after it");
    if (name.find_first_of("*?[") != std::string_view::npos)
        return wrong(whole, "patterns of names are not taken", "name each function");
    if (name.find('+') != std::string_view::npos)
        return wrong(whole, "an offset into a function is not taken", "name the function alone");
    // Compilers add .isra.0 and the like, Rust and C++ add $, symbol versions add @.
    if (!consists_of(name, "_.$@"))
        return wrong(
            whole, fmt::format("'{}' is no function's name", escape_for_terminal(name)),
            "a function is named as the symbol table names it: C++ and Rust names mangled");
    return std::string(name);
}

// PATH:FUNCTION, MODULE:FUNCTION or FUNCTION. A path is told by its slash.
Result<HotPath> parse_function(std::string_view text) {
    HotPath path;
    const std::size_t colon = text.rfind(':');
    const std::string_view before = colon == text.npos ? "" : text.substr(0, colon);
    auto function = parse_function_name(text, colon == text.npos ? text : text.substr(colon + 1));
    if (text.find('/') != text.npos && colon == text.npos)
        return wrong(text, "a program's path without a function", "write PATH:FUNCTION");
    if (!function) return tl::unexpected(function.error());

    if (before.find('/') != before.npos) {
        path.user_path = before;
        path.functions = {*function};
        return path;
    }
    if (colon != text.npos && (before.empty() || !consists_of(before, "_-")))
        return wrong(text, "what stands before ':' is neither a module nor a path",
                     "write MODULE:FUNCTION, or PATH:FUNCTION with a '/' in the path");
    path.functions = {std::string(text)};
    return path;
}

Result<Operand> parse_operand(std::string_view whole, std::string_view text) {
    if (text == "return") return Operand{.is_return = true};
    const auto number =
        text.starts_with("arg") ? parse_number(text.substr(3)) : std::optional<std::uint64_t>();
    if (!number || text.starts_with("arg0x"))
        return wrong(whole, fmt::format("'{}' is neither arg0..arg{} nor return",
                                        escape_for_terminal(text), kArguments - 1));
    if (*number >= kArguments)
        return wrong(whole,
                     fmt::format("there is no arg{}: the last is arg{}", *number, kArguments - 1));
    return Operand{.is_return = false, .argument = static_cast<unsigned>(*number)};
}

Result<Condition> parse_condition(std::string_view whole, std::string_view text) {
    constexpr std::array<std::string_view, 6> kOperators = {"==", "!=", "<=", ">=", "<", ">"};
    const std::size_t start = text.find_first_of("=!<>");
    if (start == text.npos) return wrong(whole, "it has no operator");
    const std::string_view rest = text.substr(start);
    const auto op = std::find_if(kOperators.begin(), kOperators.end(),
                                 [&](std::string_view o) { return rest.starts_with(o); });
    if (op == kOperators.end())
        return wrong(whole, fmt::format("'{}' is no operator", rest.substr(0, 1)));

    auto operand = parse_operand(whole, trim(text.substr(0, start)));
    if (!operand) return tl::unexpected(operand.error());
    const std::string_view number = trim(rest.substr(op->size()));
    const auto value = parse_number(number);
    if (!value)
        return wrong(whole, fmt::format("'{}' is no number", escape_for_terminal(number)),
                     "numbers are decimal or 0x hexadecimal, unsigned, of 64 bits");
    return Condition{*operand, std::string(*op), *value};
}

Result<void> add_when(HotPath& path, std::string_view whole, std::string_view text) {
    auto condition = parse_condition(whole, text);
    if (!condition) return tl::unexpected(condition.error());
    const bool is_return = condition->operand.is_return;
    const bool taken = std::any_of(path.when.begin(), path.when.end(), [&](const Condition& c) {
        return c.operand.is_return == is_return;
    });
    if (taken)
        return wrong(whole,
                     fmt::format("the target has a condition on {} already",
                                 is_return ? "the result" : "an argument"),
                     "a target takes one condition on an argument and one on the result");
    path.when.push_back(*condition);
    return {};
}

Result<void> add_within(HotPath& path, std::string_view whole, std::string_view text) {
    auto function = parse_function_name(whole, text);
    if (!function) return tl::unexpected(function.error());
    if (!path.within.empty())
        return wrong(whole, fmt::format("within={} is set already", path.within.front()),
                     "a target is counted within one function");
    path.within = {*function};
    return {};
}

Result<void> add_split(Split& split, std::string_view whole, std::string_view text) {
    if (text == "caller") {
        if (split.by_caller) return wrong(whole, "split=caller is given twice");
        split.by_caller = true;
        return {};
    }
    if (split.value) return wrong(whole, "a target is split by one value", "leave one out");
    const std::size_t minus = text.find('-');
    auto value = parse_operand(whole, trim(text.substr(0, minus)));
    if (!value) return tl::unexpected(value.error());
    if (minus != text.npos) {
        auto second = parse_operand(whole, trim(text.substr(minus + 1)));
        if (!second) return tl::unexpected(second.error());
        // The result is known only at the exit, where arguments may be gone.
        if (value->is_return || second->is_return)
            return wrong(whole, "a difference is one of two arguments");
        split.minus = *second;
    }
    split.value = *value;
    split.value_name = std::string(text);
    return {};
}

Result<void> add_setting(HotPath& path, Split& split, std::string_view whole) {
    const std::string_view setting = trim(whole);
    const std::size_t equals = setting.find('=');
    const std::string_view key = trim(setting.substr(0, equals));
    if (setting.empty()) return wrong(path.name, "a setting is empty");
    if (key != "when" && key != "within" && key != "split")
        return wrong(setting, fmt::format("'{}' is no setting", escape_for_terminal(key)));
    const std::string_view value = equals == setting.npos ? "" : trim(setting.substr(equals + 1));
    if (value.empty()) return wrong(setting, "it has no value");
    if (key == "when") return add_when(path, setting, value);
    if (key == "within") return add_within(path, setting, value);
    return add_split(split, setting, value);
}

std::string to_text(const Operand& operand) {
    return operand.is_return ? "return" : fmt::format("arg{}", operand.argument);
}

}  // namespace

Result<HotPath> parse_target(std::string_view text) {
    text = trim(text);
    const std::vector<std::string_view> parts = split(text, ',');
    const std::string_view name = trim(parts[0]);
    if (name.empty())
        return wrong(text, "the target's name is empty", "kcost list names the built-in ones");

    const auto& rows = built_in_hot_paths();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const HotPath& p) { return p.name == name; });
    Result<HotPath> path = row != rows.end() ? Result<HotPath>(*row) : parse_function(name);
    if (!path) return path;
    path->name = std::string(text);

    Split split;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (auto added = add_setting(*path, split, parts[i]); !added)
            return tl::unexpected(added.error());
    }
    // A split is a way to look, not a filter: the user's replaces the built-in one.
    if (split.by_caller || split.value) path->split = split;
    return path;
}

std::string describe_settings(const HotPath& path) {
    std::vector<std::string> parts;
    for (const Condition& c : path.when)
        parts.push_back(fmt::format("{} {} {} {}", parts.empty() ? "when" : "and",
                                    to_text(c.operand), c.op, c.value));
    if (!path.within.empty())
        parts.push_back(fmt::format("within {}", fmt::join(path.within, " or ")));
    std::vector<std::string> by;
    if (path.split.by_caller) by.push_back("caller");
    if (path.split.value)
        by.push_back(path.split.value_name.empty() ? to_text(*path.split.value)
                                                   : path.split.value_name);
    if (!by.empty()) parts.push_back(fmt::format("split by {}", fmt::join(by, " and ")));

    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += part.starts_with("and ") ? " " : ", ";
        text += part;
    }
    return text;
}

}  // namespace kcost::model
