#include "patch/toml_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/mapped_file.h"
#include "base/text.h"

namespace kcost::patch {
namespace {

// A patch's description has some KB.
constexpr std::size_t kMostBytes = 1 << 20;

const toml::table& no_table() {
    static const toml::table empty;
    return empty;
}

/*
 * Whether bytes are in a text or a comment. toml++ 3.3 meets what is not ASCII elsewhere by what it
 * holds to be unreachable.
 */
class TextScan {
public:
    /// False for a byte that is neither ASCII nor in a text or a comment.
    bool take(std::string_view rest) {
        const char byte = rest.front();
        if (skip_ != 0) return --skip_, true;
        if (quote_.empty()) return begins(rest, byte);
        if (quote_ == "#") return end_if(byte == '\n'), true;
        if (byte == '\\' && quote_[0] == '"') return skip_ = 1, true;
        const bool cut = byte == '\n' && quote_.size() == 1;
        if (rest.starts_with(quote_)) skip_ = quote_.size() - 1;
        end_if(cut || rest.starts_with(quote_));
        return true;
    }

private:
    bool begins(std::string_view rest, char byte) {
        if (byte == '#') quote_ = "#";
        if (byte != '"' && byte != '\'') return static_cast<unsigned char>(byte) < 0x80;
        const std::string thrice(3, byte);
        quote_ = rest.starts_with(thrice) ? thrice : std::string(1, byte);
        skip_ = quote_.size() - 1;
        return true;
    }
    void end_if(bool ends) {
        if (ends) quote_.clear();
    }

    std::string quote_;  ///< what ends it: "#" for a comment
    std::size_t skip_ = 0;
};

/// Of the first byte that is not ASCII where it must be; 0: there is none.
std::size_t line_of_stray_byte(std::string_view text) {
    TextScan scan;
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size(); i++) {
        if (!scan.take(text.substr(i))) return line;
        line += text[i] == '\n';
    }
    return 0;
}

/// Of the first '[' or '[[' that no key follows.
std::size_t line_of_bad_header(const std::string& text) {
    const auto lines = split(text, '\n');
    for (std::size_t i = 0; i < lines.size(); i++) {
        const std::string_view line = trim(lines[i]);
        const std::size_t key = line.find_first_not_of("[ \t");
        const bool header = line.starts_with('[') && key != line.npos;
        if (header && !std::isalnum(static_cast<unsigned char>(line[key])) &&
            std::string_view("\"'_-").find(line[key]) == std::string_view::npos) {
            return i + 1;
        }
    }
    return 1;
}

}  // namespace

Result<TomlFile> TomlFile::read(const std::string& path) {
    const auto mapped = MappedFile::open(path);
    if (!mapped) return tl::unexpected(mapped.error());
    const std::string_view bytes = mapped->bytes();
    if (bytes.size() > kMostBytes) return fail("cannot read " + path + ": it is too long");
    const std::string text(bytes);
    if (const std::size_t line = line_of_stray_byte(text)) {
        return fail(fmt::format("cannot read {}:{}: a character outside of texts that is not ASCII",
                                path, line));
    }
    TomlFile file;
    file.path_ = path;
    try {
        file.root_ = toml::parse(text);
    } catch (const toml::parse_error& error) {
        return fail(fmt::format("cannot read {}:{}: {}", path, error.source().begin.line,
                                error.description()));
    } catch (const std::logic_error&) {
        return fail(fmt::format("cannot read {}:{}: a table's header has no key", path,
                                line_of_bad_header(text)));
    }
    return file;
}

void TomlFile::wrong(const toml::source_region& where, const std::string& key,
                     const std::string& cause) {
    if (error_) return;
    const std::string line = where.begin.line != 0 ? fmt::format(":{}", where.begin.line) : "";
    error_ = Error{fmt::format("cannot read {}{}: {}: {}", path_, line, key, cause), ""};
}

const toml::node* TomlTable::node(const char* key) {
    asked_.insert(key);
    return table_->get(key);
}

std::string TomlTable::path_of(const std::string& key) const {
    return path_ + (path_.empty() || key.empty() ? "" : ".") + key;
}

void TomlTable::wrong(const std::string& key, const std::string& cause) {
    const toml::node* found = table_->get(key);
    file_->wrong(found != nullptr ? found->source() : table_->source(), path_of(key), cause);
}

std::string TomlTable::text_of(const toml::node& node, const std::string& key) {
    const auto* text = node.as_string();
    if (text != nullptr && !trim(text->get()).empty()) return std::string(trim(text->get()));
    file_->wrong(node.source(), path_of(key),
                 text != nullptr ? "it is empty" : "it must be a text");
    return "";
}

std::string TomlTable::text(const char* key) {
    if (!has(key)) wrong(key, "it is missing");
    return optional_text(key);
}

std::string TomlTable::optional_text(const char* key) {
    const toml::node* found = node(key);
    return found != nullptr ? text_of(*found, key) : "";
}

std::string TomlTable::word(const char* key, const std::vector<std::string>& words) {
    const std::string text = optional_text(key);
    if (text.empty()) return words.front();
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
    std::string all;
    for (const std::string& it : words) all += (all.empty() ? "" : ", ") + it;
    wrong(key, fmt::format("'{}' is none of {}", text, all));
    return words.front();
}

bool TomlTable::flag(const char* key) {
    const toml::node* found = node(key);
    if (found == nullptr) return false;
    if (!found->is_boolean()) wrong(key, "it must be true or false");
    return found->value_or(false);
}

std::optional<unsigned> TomlTable::number(const char* key) {
    const toml::node* found = node(key);
    if (found == nullptr) return std::nullopt;
    const auto* number = found->as_integer();
    const bool fits =
        number != nullptr && number->get() >= 0 && number->get() <= std::numeric_limits<int>::max();
    if (fits) return static_cast<unsigned>(number->get());
    wrong(key, "it must be a whole number");
    return std::nullopt;
}

std::vector<std::string> TomlTable::texts(const char* key) {
    const toml::node* found = node(key);
    std::vector<std::string> all;
    if (found == nullptr) return all;
    const toml::array* array = found->as_array();
    if (array == nullptr || array->empty()) {
        wrong(key, "it must be a list of texts, and not empty");
        return all;
    }
    for (const toml::node& it : *array) all.push_back(text_of(it, key));
    return all;
}

TomlTable TomlTable::table(const char* key) {
    const toml::node* found = node(key);
    const toml::table* table = found != nullptr ? found->as_table() : &no_table();
    if (table == nullptr) wrong(key, "it must be a table");
    return {*file_, table != nullptr ? *table : no_table(), path_of(key)};
}

std::vector<TomlTable> TomlTable::tables(const char* key) {
    std::vector<TomlTable> all;
    const toml::node* found = node(key);
    if (found == nullptr) return all;
    const toml::array* array = found->as_array();
    if (array == nullptr) wrong(key, "it must be a list of tables");
    if (array == nullptr) return all;
    for (const toml::node& it : *array) {
        if (!it.is_table()) {
            file_->wrong(it.source(), path_of(key), "it must be a list of tables");
            continue;
        }
        all.push_back({*file_, *it.as_table(), path_of(key)});
    }
    return all;
}

std::vector<std::pair<std::string, std::string>> TomlTable::all_texts() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [key, value] : *table_) {
        const std::string name(key.str());
        asked_.insert(name);
        all.emplace_back(name, text_of(value, name));
    }
    return all;
}

std::vector<std::pair<std::string, TomlTable>> TomlTable::all_tables() {
    std::vector<std::pair<std::string, TomlTable>> all;
    for (const auto& it : *table_) {
        const std::string name(it.first.str());
        all.emplace_back(name, table(name.c_str()));
    }
    const auto line = [](const auto& it) { return it.second.table_->source().begin.line; };
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return line(a) < line(b); });
    return all;
}

void TomlTable::done() {
    for (const auto& it : *table_) {
        const std::string name(it.first.str());
        if (!asked_.contains(name)) wrong(name, "there is no such key");
    }
}

}  // namespace kcost::patch
