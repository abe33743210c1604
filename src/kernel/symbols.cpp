#include "kernel/symbols.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/kallsyms_line.h"
#include "kernel/line_reader.h"
#include "kernel/similar_name.h"

namespace kcost::kernel {

namespace {

/// No function is longer; an address further behind a symbol is not in it.
constexpr std::uint64_t kLongestFunction = 1 << 20;
constexpr std::size_t kUsualSymbols = 200'000;
constexpr std::size_t kUsualNameBytes = 6'000'000;
/// Names shorter than this begin too many others to be a hint.
constexpr std::size_t kShortestPrefix = 4;

/// Second names of code: position independent copies' aliases (arm64), padding before a function
/// (x86, since Linux 9f2899fe36a6 ("objtool: Add option to generate prefix symbols") (v6.2)).
bool is_alias(std::string_view name) {
    return name.starts_with("__pi_") || name.starts_with("__pfx_") || name.starts_with("__cfi_");
}

bool is_section_mark(std::string_view name) {
    constexpr std::array<std::string_view, 5> kMarks = {"_text", "_stext", "_etext", "_sinittext",
                                                        "_einittext"};
    return std::find(kMarks.begin(), kMarks.end(), name) != kMarks.end() ||
           name.ends_with("_text_start") || name.ends_with("_text_end");
}

}  // namespace

std::string to_string(const Location& location) {
    std::string text(location.symbol.name);
    if (location.offset != 0) {
        char offset[24];
        std::snprintf(offset, sizeof offset, "+0x%llx",
                      static_cast<unsigned long long>(location.offset));
        text += offset;
    }
    if (!location.symbol.module.empty()) text += " [" + std::string(location.symbol.module) + "]";
    return text;
}

Result<Symbols> Symbols::read(const Root& root) {
    auto lines = LineReader::open(root.at("/proc/kallsyms"));
    if (!lines) return tl::unexpected(lines.error());
    Symbols symbols;
    symbols.entries_.reserve(kUsualSymbols);
    symbols.names_.reserve(kUsualNameBytes);
    bool after_text = false;
    while (const auto line = lines->next()) {
        const auto parsed = parse_kallsyms_line(*line);
        if (parsed) symbols.add(*parsed, parse_hex(parsed->address), after_text);
        if (symbols.entries_.size() == 1 && symbols.entries_.front().address == 0) {
            return tl::unexpected(hidden_addresses());
        }
    }
    if (lines->error() != 0) {
        return fail(std::string("cannot read /proc/kallsyms: ") + std::strerror(lines->error()));
    }
    if (symbols.entries_.empty()) return fail("cannot read /proc/kallsyms: it lists no function");
    symbols.sort();
    return symbols;
}

Symbols Symbols::of(const std::vector<ListedSymbol>& listed) {
    Symbols symbols;
    bool after_text = false;
    for (const ListedSymbol& it : listed) {
        if (it.name.empty()) continue;
        symbols.add({{}, it.type, it.name, {}}, it.address, after_text);
    }
    symbols.sort();
    return symbols;
}

/// Of data only the first symbol behind text is kept, without its name: there the text ends.
void Symbols::add(const KallsymsLine& line, std::uint64_t address, bool& after_text) {
    if (line.is_mapping() || line.type == 'a' || line.type == 'A') return;
    const bool text = line.is_text();
    if (!text && !after_text) return;
    Entry entry{};
    entry.address = address;
    after_text = text;
    if (text) {
        entry.name = static_cast<std::uint32_t>(names_.size());
        entry.length = static_cast<std::uint16_t>(line.name.size());
        entry.module = module_index(line.module);
        entry.type = line.type;
        names_ += line.name;
    }
    entries_.push_back(entry);
}

/// Symbols of a module stand together, so the last one is the likely one.
std::uint16_t Symbols::module_index(std::string_view module) {
    for (std::size_t i = modules_.size(); i-- > 0;) {
        if (modules_[i] == module) return static_cast<std::uint16_t>(i);
    }
    modules_.emplace_back(module);
    return static_cast<std::uint16_t>(modules_.size() - 1);
}

/// The kernel's own symbols come sorted, only the modules' behind them do not.
void Symbols::sort() {
    const auto before = [](const Entry& a, const Entry& b) { return a.address < b.address; };
    const auto tail = std::is_sorted_until(entries_.begin(), entries_.end(), before);
    std::stable_sort(tail, entries_.end(), before);
    std::inplace_merge(entries_.begin(), tail, entries_.end(), before);
}

std::string_view Symbols::name_of(const Entry& entry) const {
    return std::string_view(names_).substr(entry.name, entry.length);
}

/// The lower, the better as a name for an address.
unsigned Symbols::rank(const Entry& entry) const {
    if (entry.type == 0) return 16;
    const std::string_view name = name_of(entry);
    const unsigned worse = is_section_mark(name) ? 8 : is_alias(name) ? 4 : 0;
    return worse + (entry.type == 'T' ? 0 : entry.type == 'W' ? 1 : 2);
}

Symbol Symbols::symbol_at(std::size_t index) const {
    const Entry& entry = entries_[index];
    Symbol symbol;
    symbol.name = name_of(entry);
    symbol.module = modules_[entry.module];
    symbol.address = entry.address;
    symbol.global = entry.type == 'T' || entry.type == 'W';
    std::size_t next = index + 1;
    while (next < entries_.size() && entries_[next].address == entry.address) next++;
    if (next < entries_.size()) symbol.size = entries_[next].address - entry.address;
    if (symbol.size > kLongestFunction) symbol.size = 0;
    return symbol;
}

std::optional<Location> Symbols::resolve(std::uint64_t address) const {
    const auto behind =
        std::upper_bound(entries_.begin(), entries_.end(), address,
                         [](std::uint64_t a, const Entry& entry) { return a < entry.address; });
    if (behind == entries_.begin()) return std::nullopt;
    std::size_t best = static_cast<std::size_t>(behind - entries_.begin()) - 1;
    const std::uint64_t start = entries_[best].address;
    if (address - start >= kLongestFunction) return std::nullopt;
    for (std::size_t i = best; i-- > 0 && entries_[i].address == start;) {
        if (rank(entries_[i]) <= rank(entries_[best])) best = i;
    }
    if (entries_[best].type == 0) return std::nullopt;
    return Location{symbol_at(best), address - start};
}

std::vector<Symbol> Symbols::find(std::string_view name) const {
    const QualifiedName wanted = qualified(name);
    std::vector<Symbol> found;
    for (std::size_t i = 0; i < entries_.size(); i++) {
        const Entry& entry = entries_[i];
        if (entry.length != wanted.name.size() || name_of(entry) != wanted.name) continue;
        if (!wanted.module.empty() && modules_[entry.module] != wanted.module) continue;
        if (entry.type != 0) found.push_back(symbol_at(i));
    }
    return found;
}

std::vector<Symbol> Symbols::find_variants(std::string_view name, bool cold) const {
    const QualifiedName wanted = qualified(name);
    std::vector<Symbol> found;
    for (std::size_t i = 0; i < entries_.size(); i++) {
        const Entry& entry = entries_[i];
        if (entry.type == 0 || !name_of(entry).starts_with(wanted.name)) continue;
        const std::string_view full = name_of(entry);
        if (full != wanted.name && stem_of(full) != wanted.name) continue;
        if (!wanted.module.empty() && modules_[entry.module] != wanted.module) continue;
        if (full == wanted.name || cold || !is_cold(full)) found.push_back(symbol_at(i));
    }
    return found;
}

std::vector<Symbol> Symbols::match(const std::string& glob) const {
    const QualifiedName wanted = qualified(glob);
    const std::string pattern(wanted.name);
    std::vector<Symbol> found;
    std::string stem;
    for (std::size_t i = 0; i < entries_.size(); i++) {
        const Entry& entry = entries_[i];
        const std::string_view name = name_of(entry);
        if (entry.type == 0 || is_alias(name) || is_section_mark(name) || is_cold(name)) continue;
        if (!wanted.module.empty() && modules_[entry.module] != wanted.module) continue;
        stem = stem_of(name);
        if (::fnmatch(pattern.c_str(), stem.c_str(), 0) == 0) found.push_back(symbol_at(i));
    }
    return found;
}

std::pair<std::uint64_t, std::uint64_t> Symbols::kernel_text() const {
    const std::vector<Symbol> start = find("_stext");
    if (start.empty()) return {0, 0};
    const std::uint64_t begin = start.front().address;
    const auto ends_text = [&](const Entry& entry) {
        return entry.address > begin && entry.type == 0;
    };
    const auto end = std::find_if(entries_.begin(), entries_.end(), ends_text);
    return {begin, end == entries_.end() ? entries_.back().address : end->address};
}

std::vector<std::string> Symbols::nearest(std::string_view name, std::size_t n) const {
    const std::string_view wanted = stem_of(qualified(name).name);
    const std::size_t limit = std::clamp<std::size_t>(wanted.size() / 4, 1, 4);
    struct Candidate {
        std::size_t distance;
        std::string_view name;
    };
    std::vector<Candidate> candidates;
    for (const Entry& entry : entries_) {
        if (entry.type == 0 || is_alias(name_of(entry))) continue;
        const std::string_view stem = stem_of(name_of(entry));
        std::size_t distance = edit_distance(wanted, stem, limit);
        const bool prefix = wanted.size() >= kShortestPrefix && stem.starts_with(wanted);
        if (distance > limit && !prefix) continue;
        if (distance > limit) distance = limit + stem.size() - wanted.size();
        candidates.push_back({distance, stem});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.name < b.name;
    });
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates) {
        if (names.size() == n) break;
        if (names.empty() || names.back() != candidate.name) names.emplace_back(candidate.name);
    }
    return names;
}

}  // namespace kcost::kernel
