// The names that targets give, and this kernel's functions that carry them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"
#include "kernel/symbol_lookup.h"
#include "kernel/symbols.h"

namespace kcost::probe {

class FunctionNames {
public:
    explicit FunctionNames(const kernel::Root& root) : root_(root) {}

    /// By one pass over kallsyms. Errors: no rights, hidden addresses.
    Result<void> look_up(std::vector<std::string> names);
    bool empty() const { return names_.empty(); }

    /// Those that carry this name, which was looked up, or a compiler's variant of it: each once,
    /// without cold pieces.
    std::vector<kernel::FoundSymbol> functions(const std::string& name) const;
    /// True where the kernel has several functions of this name.
    bool is_repeated(const std::string& name) const;

    /// Why nothing carries a name, and which may have been meant.
    Error missing(const std::string& name);

private:
    std::string nearest_hint(const std::string& name);

    const kernel::Root& root_;
    std::vector<std::string> names_;
    std::vector<std::vector<kernel::FoundSymbol>> found_;  ///< in the order of the names
    bool symbols_read_ = false;
    std::optional<kernel::Symbols> symbols_;
};

/// "did you mean A, B?", or nothing.
std::string did_you_mean(const std::vector<std::string>& names);

/// How many names such a hint offers.
inline constexpr std::size_t kNamesOffered = 5;

}  // namespace kcost::probe
