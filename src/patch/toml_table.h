// Tables of a TOML file, read key by key: the first mistake is kept with its file, line and key,
// and what was not asked for is one.
#pragma once

// toml++ 3.3 takes "[}]" for its own mistake: it asserts, and without assertions reads on.
#include <stdexcept>
#pragma push_macro("NDEBUG")
#undef NDEBUG
namespace kcost::patch {
[[noreturn]] inline void toml_asserts(const char* what) { throw std::logic_error(what); }
}  // namespace kcost::patch
#define TOML_ASSERT(expr) ((expr) ? void() : kcost::patch::toml_asserts(#expr))
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace kcost::patch {

/// One file. Reading goes on after a mistake, with empty values; ask for error() at the end.
class TomlFile {
public:
    static Result<TomlFile> read(const std::string& path);

    const toml::table& root() const { return root_; }
    const std::optional<Error>& error() const { return error_; }
    void wrong(const toml::source_region& where, const std::string& key, const std::string& cause);

private:
    std::string path_;
    toml::table root_;
    std::optional<Error> error_;
};

class TomlTable {
public:
    explicit TomlTable(TomlFile& file) : TomlTable(file, file.root(), "") {}

    /// Where there must be one; an empty text counts as none.
    std::string text(const char* key);
    std::string optional_text(const char* key);
    /// One of these words; the first where there is none.
    std::string word(const char* key, const std::vector<std::string>& words);
    bool flag(const char* key);
    std::optional<unsigned> number(const char* key);
    /// At least one, where the key is there.
    std::vector<std::string> texts(const char* key);
    /// An empty one where there is none.
    TomlTable table(const char* key);
    std::vector<TomlTable> tables(const char* key);
    /// Every key with its text.
    std::vector<std::pair<std::string, std::string>> all_texts();
    /// Every key with its table, by line.
    std::vector<std::pair<std::string, TomlTable>> all_tables();

    bool has(const char* key) const { return table_->contains(key); }
    bool empty() const { return table_->empty(); }
    /// A mistake of this key, or of the whole table.
    void wrong(const std::string& key, const std::string& cause);
    /// Keys that nobody asked for are mistakes.
    void done();

private:
    TomlTable(TomlFile& file, const toml::table& table, std::string path)
        : file_(&file), table_(&table), path_(std::move(path)) {}

    const toml::node* node(const char* key);
    std::string path_of(const std::string& key) const;
    std::string text_of(const toml::node& node, const std::string& key);

    TomlFile* file_;
    const toml::table* table_;
    std::string path_;
    std::set<std::string> asked_;
};

}  // namespace kcost::patch
