#include "store/json_members.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace kcost {
namespace {

using Json = nlohmann::json;

// A recording needs 8 levels; a site with 16 splits and all bins full is 14,000 values.
constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxValuesPerItem = std::size_t{1} << 20;
constexpr std::size_t kMaxItems = std::size_t{1} << 20;

// The events that nlohmann::json::sax_parse wants: false stops it. (Its own DOM parser would have
// to hold the whole file: 16 to 100 bytes for each value of two bytes.)
class Events {
public:
    explicit Events(const std::function<void(const JsonMember&)>& take) : take_(take) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(Json::number_integer_t value) { return add(value); }
    bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
    bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(Json::binary_t&) { return stop("binary data"); }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& key) {
        if (depth_ == 1) {
            member_ = std::move(key);
        } else {
            keys_.back() = std::move(key);
        }
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const Json::exception&) {
        return stop(fmt::format("no JSON at byte {}", byte));
    }

    const std::optional<std::string>& error() const { return error_; }

private:
    bool stop(std::string why) {
        error_ = std::move(why);
        return false;
    }

    // Where a value stands that is handed on: a member, or an item of a member that is a list.
    bool at_top() const { return open_.empty(); }

    bool add(Json value) {
        if (depth_ == 0) return stop("it is no JSON object");
        if (++values_ > kMaxValuesPerItem)
            return stop(fmt::format("{} has too many values", member_));
        if (at_top()) return hand_on(value);
        put(std::move(value));
        return true;
    }

    Json* put(Json value) {
        Json& parent = *open_.back();
        if (parent.is_array()) return &parent.emplace_back(std::move(value));
        Json& slot = parent[keys_.back()];
        slot = std::move(value);
        return &slot;
    }

    bool open(Json container) {
        if (++depth_ > kMaxDepth) return stop(fmt::format("{} is nested too deeply", member_));
        if (depth_ == 1) return container.is_object() || stop("it is no JSON object");
        if (++values_ > kMaxValuesPerItem)
            return stop(fmt::format("{} has too many values", member_));
        if (depth_ == 2 && container.is_array()) {
            index_ = 0;
            return true;
        }
        if (at_top()) {
            item_ = std::move(container);
            open_.push_back(&item_);
        } else {
            open_.push_back(put(std::move(container)));
        }
        keys_.emplace_back();
        return true;
    }

    bool close() {
        --depth_;
        if (at_top()) {  // a list of items, or the object itself
            index_.reset();
            return true;
        }
        open_.pop_back();
        keys_.pop_back();
        return !at_top() || hand_on(item_);
    }

    bool hand_on(const Json& value) {
        if (index_ && *index_ == kMaxItems) return stop(fmt::format("{} is too long", member_));
        take_({member_, index_, value});
        if (index_) ++*index_;
        item_ = nullptr;
        values_ = 0;
        return true;
    }

    const std::function<void(const JsonMember&)>& take_;
    std::optional<std::string> error_;
    std::size_t depth_ = 0;
    std::size_t values_ = 0;  // of the item so far
    std::string member_;
    std::optional<std::size_t> index_;  // set while inside a list of the top
    Json item_;
    std::vector<Json*> open_;        // containers of the item, the innermost last
    std::vector<std::string> keys_;  // the key in each of them
};

}  // namespace

std::optional<std::string> read_json_members(std::string_view text,
                                             const std::function<void(const JsonMember&)>& take) {
    Events events(take);
    const bool parsed = Json::sax_parse(text.begin(), text.end(), &events);
    if (!parsed && !events.error()) return "no JSON";
    return events.error();
}

}  // namespace kcost
