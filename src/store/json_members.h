// Reads a JSON object member by member and its lists item by item, so that of a file of any size
// only one item is in memory, and stops at what no file of ours contains: values nested deeply,
// items or lists without end. Knows nothing of recordings.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kcost {

/// One member, or one item of a member that is a list.
struct JsonMember {
    std::string_view key;
    std::optional<std::size_t> index;  ///< in the list
    const nlohmann::json& value;
};

/// Calls `take` for each in the order of the text; a list without items gives no call. Nothing, or
/// why the text is not such an object, such as "no JSON at byte 7".
std::optional<std::string> read_json_members(std::string_view text,
                                             const std::function<void(const JsonMember&)>& take);

}  // namespace kcost
