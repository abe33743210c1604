#include "store/json_reader.h"

#include <cmath>

#include "base/text.h"

namespace kcost {

using Json = nlohmann::json;

std::string Field::place() const {
    std::string place = parent == nullptr ? "" : parent->place();
    if (!place.empty() && !key.empty()) place += '.';
    place += key;
    if (index) place += fmt::format("[{}]", *index);
    return place;
}

void Reader::wrong(const std::string& place, std::string_view why) {
    if (!error_) error_ = fmt::format("{} {}", place, why);
}

std::uint64_t Reader::number(const Field& field, std::uint64_t most) {
    const bool whole = field.value.is_number_unsigned();
    if (whole && field.value.get<std::uint64_t>() <= most) return field.value.get<std::uint64_t>();
    wrong(field.place(), fmt::format("is no whole number from 0 to {}", most));
    return 0;
}

std::uint32_t Reader::number32(const Field& field) {
    return static_cast<std::uint32_t>(number(field, std::numeric_limits<std::uint32_t>::max()));
}

std::optional<std::uint64_t> Reader::number_or_null(const Field& field) {
    if (field.value.is_null()) return std::nullopt;
    return number(field);
}

double Reader::decimal(const Field& field) {
    const double value = field.value.is_number() ? field.value.get<double>() : NAN;
    if (std::isfinite(value)) return value;
    wrong(field.place(), "is no number");
    return 0;
}

bool Reader::boolean(const Field& field) {
    if (!field.value.is_boolean()) wrong(field.place(), "is neither true nor false");
    return field.value.is_boolean() && field.value.get<bool>();
}

std::string Reader::text(const Field& field) {
    if (!field.value.is_string()) {
        wrong(field.place(), "is no text");
        return {};
    }
    auto bytes = utf8_to_bytes(field.value.get_ref<const std::string&>());
    if (!bytes) wrong(field.place(), "has a backslash that is followed by neither \\ nor xHH");
    return std::move(bytes).value_or("");
}

Field Reader::member(const Field& object, std::string_view key) {
    static const Json kNull;
    if (object.value.is_object()) {
        const auto found = object.value.find(key);
        if (found != object.value.end()) return {*found, &object, key, {}};
        wrong(Field{kNull, &object, key, {}}.place(), "is missing");
    } else {
        wrong(object.place(), "is no object");
    }
    return {kNull, &object, key, {}};
}

Field Reader::later_member(const Field& object, std::string_view key, const Json& absent) {
    const bool there = object.value.is_object() && object.value.contains(key);
    return there ? member(object, key) : Field{absent, &object, key, {}};
}

bool Reader::is_list(const Field& field, std::optional<std::size_t> size) {
    const bool fits = field.value.is_array() && (!size || field.value.size() == *size);
    if (!fits) wrong(field.place(), size ? fmt::format("is no list of {}", *size) : "is no list");
    return fits;
}

}  // namespace kcost
