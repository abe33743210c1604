#include "probe/function_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernel/kallsyms_line.h"
#include "kernel/missing_function.h"

namespace kcost::probe {

using kernel::FoundSymbol;

Result<void> FunctionNames::look_up(std::vector<std::string> names) {
    names_ = std::move(names);
    if (names_.empty()) return {};
    auto found = kernel::find_many(root_, names_);
    if (!found) return tl::unexpected(found.error());
    found_ = std::move(*found);
    return {};
}

// A cold piece is no function; where the plain name is there its variants are other copies.
std::vector<FoundSymbol> FunctionNames::functions(const std::string& name) const {
    auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return {};
    std::vector<FoundSymbol> functions;
    std::set<std::uint64_t> seen;
    for (const FoundSymbol& symbol : found_[at - names_.begin()]) {
        if (kernel::is_cold(symbol.name) || !seen.insert(symbol.address).second) continue;
        functions.push_back(symbol);
    }
    return functions;
}

bool FunctionNames::is_repeated(const std::string& name) const {
    int count = 0;
    for (const auto& symbols : found_) {
        std::set<std::uint64_t> addresses;
        for (const FoundSymbol& symbol : symbols) {
            if (symbol.name == name) addresses.insert(symbol.address);
        }
        count = std::max(count, static_cast<int>(addresses.size()));
    }
    return count > 1;
}

Error FunctionNames::missing(const std::string& name) {
    Error error = kernel::missing_function(root_, name);
    std::string nearest = nearest_hint(name);
    if (!nearest.empty()) error.hint = nearest;
    return error;
}

std::string FunctionNames::nearest_hint(const std::string& name) {
    if (!symbols_read_) {
        symbols_read_ = true;
        auto symbols = kernel::Symbols::read(root_);
        if (symbols) symbols_ = std::move(*symbols);
    }
    if (!symbols_) return "";
    return did_you_mean(symbols_->nearest(name, kNamesOffered));
}

std::string did_you_mean(const std::vector<std::string>& names) {
    std::string hint;
    for (const std::string& name : names) {
        hint += (hint.empty() ? "did you mean " : ", ") + name;
    }
    return hint.empty() ? hint : hint + "?";
}

}  // namespace kcost::probe
