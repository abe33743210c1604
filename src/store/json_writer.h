// Writes the JSON of kcost's files: an object, one line an item of its lists, each made and dropped
// by itself, so that writing costs little more memory than the text. Knows nothing of recordings.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/text.h"

namespace kcost {

using OrderedJson = nlohmann::ordered_json;

/// Every string of a file is spelled so: comm and symbols are bytes, JSON wants UTF-8.
inline OrderedJson text_to_json(const std::string& bytes) { return bytes_to_utf8(bytes); }

template <typename T>
OrderedJson number_or_null(const std::optional<T>& number) {
    return number ? OrderedJson(*number) : OrderedJson(nullptr);
}

template <typename List, typename F>
OrderedJson list_to_json(const List& items, F to_json) {
    OrderedJson array = OrderedJson::array();
    for (const auto& item : items) array.push_back(to_json(item));
    return array;
}

class JsonWriter {
public:
    void member(const char* key, const OrderedJson& value) {
        open(key);
        text_ += value.dump();
    }

    template <typename List, typename F>
    void members(const char* key, const List& items, F to_json) {
        open(key);
        const char* before = "[\n";
        for (const auto& item : items) {
            text_ += before;
            text_ += to_json(item).dump();
            before = ",\n";
        }
        text_ += items.empty() ? "[]" : "\n]";
    }

    std::string finish() { return std::move(text_) + "\n}\n"; }

private:
    void open(const char* key) {
        text_ += text_.empty() ? "{\n\"" : ",\n\"";
        text_ += key;
        text_ += "\": ";
    }

    std::string text_;
};

}  // namespace kcost
