#include "store/json_number.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kcost {
namespace {

using Json = nlohmann::json;

// A parser's stack is on the heap, but a value's destruction nests.
constexpr int kMaxDepth = 64;

Json parse(std::string_view text) {
    const auto not_too_deep = [](int depth, Json::parse_event_t, Json&) {
        return depth < kMaxDepth;
    };
    return Json::parse(text.begin(), text.end(), not_too_deep, false);
}

std::string_view last_line(std::string_view text) {
    text = trim(text);
    const std::size_t end = text.rfind('\n');
    return end == text.npos ? text : text.substr(end + 1);
}

}  // namespace

Result<void> check_json_pointer(const std::string& pointer) {
    try {
        [[maybe_unused]] const Json::json_pointer parsed(pointer);
    } catch (const Json::exception&) {
        return fail("'" + pointer + "' is no JSON pointer", "such as /results/0/rate",
                    ExitCode::kUsage);
    }
    return {};
}

Result<double> json_number(std::string_view text, const std::string& pointer) {
    Json json = parse(text);
    if (json.is_discarded()) json = parse(last_line(text));
    if (json.is_discarded()) return fail("it printed no JSON, as a whole or in its last line");
    try {
        const Json::json_pointer at(pointer);
        if (!json.contains(at)) return fail("its JSON has nothing at " + pointer);
        const Json& value = json.at(at);
        if (!value.is_number()) return fail("its JSON has no number at " + pointer);
        return value.get<double>();
    } catch (const Json::exception&) {
        return fail("its JSON has nothing at " + pointer);
    }
}

}  // namespace kcost
