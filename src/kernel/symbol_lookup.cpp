#include "kernel/symbol_lookup.h"

#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <unordered_map>

#include "kernel/kallsyms_line.h"
#include "kernel/line_reader.h"

namespace kcost::kernel {

namespace {

/// Calls `visit` with each parsed line until it returns false.
template <typename Visit>
std::optional<Error> each_line(const Root& root, Visit visit) {
    auto lines = LineReader::open(root.at("/proc/kallsyms"));
    if (!lines) return lines.error();
    bool text_seen = false;
    while (const auto line = lines->next()) {
        const auto parsed = parse_kallsyms_line(*line);
        if (!parsed) continue;
        if (!text_seen && parsed->is_text() && parsed->is_hidden()) return hidden_addresses();
        text_seen = text_seen || parsed->is_text();
        if (!visit(*parsed)) return std::nullopt;
    }
    if (lines->error() == 0) return std::nullopt;
    return Error{std::string("cannot read /proc/kallsyms: ") + std::strerror(lines->error()), ""};
}

/// Names looked for, told apart by their first letter before anything is hashed.
class Wanted {
public:
    explicit Wanted(const std::vector<std::string>& names) : modules_(names.size()) {
        for (std::size_t i = 0; i < names.size(); i++) {
            const QualifiedName name = qualified(names[i]);
            if (name.name.empty()) continue;
            modules_[i] = name.module;
            by_name_.emplace(name.name, i);
            first_letter_[static_cast<unsigned char>(name.name.front())] = true;
        }
    }

    /// Calls `found` with the index of each name that the line carries or is a variant of.
    template <typename Found>
    void match(const KallsymsLine& line, Found found) const {
        if (!first_letter_[static_cast<unsigned char>(line.name.front())]) return;
        report(line, line.name, found);
        const std::string_view stem = stem_of(line.name);
        if (stem.size() != line.name.size() && !is_cold(line.name)) report(line, stem, found);
    }

    bool in_kernel(std::size_t index) const { return modules_[index].empty(); }

private:
    template <typename Found>
    void report(const KallsymsLine& line, std::string_view name, Found found) const {
        const auto [begin, end] = by_name_.equal_range(name);
        for (auto it = begin; it != end; ++it) {
            const std::string_view module = modules_[it->second];
            if (module.empty() || module == line.module) found(it->second);
        }
    }

    std::unordered_multimap<std::string_view, std::size_t> by_name_;
    std::vector<std::string_view> modules_;
    std::array<bool, 256> first_letter_{};
};

/// Symbols whose end is the next address: the kernel lists its own in the order of addresses.
class OpenEnds {
public:
    explicit OpenEnds(std::vector<std::vector<FoundSymbol>>& found) : found_(found) {}

    void add(std::size_t name) { open_.push_back(name); }

    /// True where none is open any more.
    bool end_at(const KallsymsLine& line) {
        if (open_.empty()) return true;
        const std::uint64_t address = parse_hex(line.address);
        const std::uint64_t begin = found_[open_.front()].back().address;
        if (address == begin) return false;
        // Modules follow, wherever they are.
        for (const std::size_t name : open_) {
            for (FoundSymbol& symbol : found_[name]) {
                if (symbol.address == begin && address > begin) symbol.end = address;
            }
        }
        open_.clear();
        return true;
    }

private:
    std::vector<std::vector<FoundSymbol>>& found_;
    std::vector<std::size_t> open_;  ///< names whose latest symbol begins at the same address
};

}  // namespace

Result<std::vector<std::vector<FoundSymbol>>> find_many(const Root& root,
                                                        const std::vector<std::string>& names) {
    const Wanted wanted(names);
    std::vector<std::vector<FoundSymbol>> found(names.size());
    std::vector<bool> settled(names.size());
    std::size_t open = names.size();
    OpenEnds ends(found);
    const auto visit = [&](const KallsymsLine& line) {
        const bool known = !line.is_mapping() && ends.end_at(line);
        if (open == 0) return !known;
        if (!line.is_text()) return true;
        wanted.match(line, [&](std::size_t i) {
            found[i].push_back({std::string(line.name), std::string(line.module),
                                parse_hex(line.address), 0, line.is_global()});
            ends.add(i);
            const bool only_one = line.is_global() && line.module.empty() && wanted.in_kernel(i);
            if (!only_one || settled[i]) return;
            settled[i] = true;
            open--;
        });
        return true;
    };
    if (names.empty()) return found;
    if (auto error = each_line(root, visit)) return tl::unexpected(*error);
    return found;
}

Result<std::vector<std::uint64_t>> find_data(const Root& root,
                                             const std::vector<std::string>& names) {
    const Wanted wanted(names);
    std::vector<std::uint64_t> addresses(names.size());
    std::size_t open = names.size();
    const auto visit = [&](const KallsymsLine& line) {
        if (line.is_text()) return true;
        wanted.match(line, [&](std::size_t i) {
            if (addresses[i] != 0) return;
            addresses[i] = parse_hex(line.address);
            if (addresses[i] != 0) open--;
        });
        return open != 0;
    };
    if (names.empty()) return addresses;
    if (auto error = each_line(root, visit)) return tl::unexpected(*error);
    return addresses;
}

}  // namespace kcost::kernel
