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
    "== != < <= > >=, split=caller, split=arg0..arg7|return, split=argN-argM, by=MECHANISM and, of "
    "an operation, in=FUNCTION";
constexpr std::array<std::string_view, 3> kMechanisms = {"fentry", "kprobe", "hwbreak"};

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
    // Compilers add .isra.0 and the like, Rust and C++ add $, symbol versions add @.
    if (!consists_of(name, "_.$@"))
        return wrong(
            whole, fmt::format("'{}' is no function's name", escape_for_terminal(name)),
            "a function is named as the symbol table names it: C++ and Rust names mangled");
    return std::string(name);
}

// The number after the last '+', taken off the text.
Result<std::uint64_t> take_offset(std::string_view& text) {
    const std::size_t plus = text.rfind('+');
    if (plus == text.npos) return 0;
    const auto offset = parse_number(text.substr(plus + 1));
    if (!offset)
        return wrong(text, "what stands after '+' is no number", "write FUNCTION+0xOFFSET");
    text = text.substr(0, plus);
    return *offset;
}

bool is_address(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

Result<HotPath> parse_address(std::string_view text) {
    HotPath path;
    const auto address = parse_number(text);
    if (!address || *address == 0)
        return wrong(text, "it is no address", "write 0x and up to 16 hexadecimal digits");
    path.address = *address;
    return path;
}

// PATH:FUNCTION, MODULE:FUNCTION or FUNCTION. A path is told by its slash.
Result<HotPath> parse_function(std::string_view text) {
    if (is_address(text)) return parse_address(text);
    const std::string_view whole = text;
    HotPath path;
    if (text.find('/') == text.npos) {
        auto offset = take_offset(text);
        if (!offset) return tl::unexpected(offset.error());
        path.offset = *offset;
    }
    const std::size_t colon = text.rfind(':');
    const std::string_view before = colon == text.npos ? "" : text.substr(0, colon);
    auto function = parse_function_name(whole, colon == text.npos ? text : text.substr(colon + 1));
    if (text.find('/') != text.npos && colon == text.npos)
        return wrong(whole, "a program's path without a function", "write PATH:FUNCTION");
    if (!function) return tl::unexpected(function.error());

    if (before.find('/') != before.npos) {
        path.user_path = before;
        path.functions = {*function};
        return path;
    }
    if (colon != text.npos && (before.empty() || !consists_of(before, "_-")))
        return wrong(whole, "what stands before ':' is neither a module nor a path",
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

// What replaces a built-in row's, once all settings are read.
struct Asked {
    Split split;
    std::string mechanism;
};

Result<void> add_mechanism(const HotPath& path, Asked& asked, std::string_view whole,
                           std::string_view text) {
    if (path.operation)
        return wrong(whole, "an operation is measured at its sites only", "leave it out");
    if (!path.user_path.empty())
        return wrong(whole, "a program's function is measured by its own probes only",
                     "leave it out");
    if (!asked.mechanism.empty())
        return wrong(whole, fmt::format("by={} is set already", asked.mechanism));
    if (std::find(kMechanisms.begin(), kMechanisms.end(), text) == kMechanisms.end())
        return wrong(whole, fmt::format("'{}' is no mechanism", escape_for_terminal(text)),
                     fmt::format("mechanisms are {}", fmt::join(kMechanisms, ", ")));
    asked.mechanism = text;
    return {};
}

Result<void> add_in(HotPath& path, std::string_view whole, std::string_view text) {
    if (!path.operation)
        return wrong(whole, "only an operation is looked for in a function",
                     "operations are flush_tlb_page, tlbi-broadcast and tlbi-local");
    auto function = parse_function_name(whole, text);
    if (!function) return tl::unexpected(function.error());
    if (!path.operation->in.empty())
        return wrong(whole, fmt::format("in={} is set already", path.operation->in));
    path.operation->in = *function;
    return {};
}

// Amid a function registers hold neither its arguments nor its result.
Result<void> check_operands(const HotPath& path) {
    const bool amid = path.operation || is_instruction(path);
    if (amid && (!path.when.empty() || path.split.value))
        return wrong(path.name, "amid a function there are no arguments and no result",
                     "leave out when= and split=, but for split=caller");
    if (amid && path.mechanism == "fentry")
        return wrong(path.name, "fentry attaches to functions only", "by=kprobe or by=hwbreak");
    return {};
}

Result<void> add_setting(HotPath& path, Asked& asked, std::string_view whole) {
    const std::string_view setting = trim(whole);
    const std::size_t equals = setting.find('=');
    const std::string_view key = trim(setting.substr(0, equals));
    if (setting.empty()) return wrong(path.name, "a setting is empty");
    constexpr std::array<std::string_view, 5> kKeys = {"when", "within", "split", "by", "in"};
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
        return wrong(setting, fmt::format("'{}' is no setting", escape_for_terminal(key)));
    const std::string_view value = equals == setting.npos ? "" : trim(setting.substr(equals + 1));
    if (value.empty()) return wrong(setting, "it has no value");
    if (key == "when") return add_when(path, setting, value);
    if (key == "within") return add_within(path, setting, value);
    if (key == "by") return add_mechanism(path, asked, setting, value);
    if (key == "in") return add_in(path, setting, value);
    return add_split(asked.split, setting, value);
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

    Asked asked;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (auto added = add_setting(*path, asked, parts[i]); !added)
            return tl::unexpected(added.error());
    }
    // A split is a way to look, not a filter: the user's replaces the built-in one.
    if (asked.split.by_caller || asked.split.value) path->split = asked.split;
    if (!asked.mechanism.empty()) path->mechanism = asked.mechanism;
    if (auto checked = check_operands(*path); !checked) return tl::unexpected(checked.error());
    return path;
}

bool is_instruction(const HotPath& path) { return path.address != 0 || path.offset != 0; }

std::string describe_settings(const HotPath& path) {
    std::vector<std::string> parts;
    for (const Condition& c : path.when)
        parts.push_back(fmt::format("{} {} {} {}", parts.empty() ? "when" : "and",
                                    to_text(c.operand), c.op, c.value));
    if (!path.within.empty())
        parts.push_back(fmt::format("within {}", fmt::join(path.within, " or ")));
    if (path.operation && !path.operation->in.empty())
        parts.push_back(fmt::format("in {}", path.operation->in));
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
