// Reads values out of parsed JSON with their place, for errors such as
// "targets[2].sites[0].figures.entries is missing". Knows nothing of recordings.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kcost {

// A value and where it stands. Lives on the stack below its parent.
struct Field {
    const nlohmann::json& value;
    const Field* parent = nullptr;
    std::string_view key;
    std::optional<std::size_t> index;

    std::string place() const;
};

/// The first thing that is wrong is kept; from then on everything reads as empty.
class Reader {
public:
    void wrong(const std::string& place, std::string_view why);
    const std::optional<std::string>& error() const { return error_; }

    std::uint64_t number(const Field& field,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    std::uint32_t number32(const Field& field);
    std::optional<std::uint64_t> number_or_null(const Field& field);
    double decimal(const Field& field);  ///< finite
    bool boolean(const Field& field);
    std::string text(const Field& field);  ///< bytes, as bytes_to_utf8 spells them

    Field member(const Field& object, std::string_view key);
    /// A field that was added since the version's first files: they read as if it were this.
    Field later_member(const Field& object, std::string_view key, const nlohmann::json& absent);

    /// Whether it is a list, and of that many.
    bool is_list(const Field& field, std::optional<std::size_t> size = {});

    template <typename F>
    auto list(const Field& field, F read) {
        std::vector<decltype(read(*this, field))> items;
        if (!is_list(field)) return items;
        items.reserve(field.value.size());
        for (std::size_t i = 0; i < field.value.size() && !error_; ++i)
            items.push_back(read(*this, Field{field.value[i], &field, "", i}));
        return items;
    }

    std::vector<std::string> texts(const Field& field) {
        return list(field, [](Reader& in, const Field& at) { return in.text(at); });
    }

private:
    std::optional<std::string> error_;
};

}  // namespace kcost
