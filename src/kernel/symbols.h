// Text symbols of a kernel and its modules, from /proc/kallsyms or from an image, as one table. For
// a report; where a few names are needed before attaching, symbol_lookup.h is much cheaper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kernel/listed_symbol.h"
#include "kernel/root.h"

namespace kcost::kernel {

struct KallsymsLine;

/// Views are valid as long as the table they came from.
struct Symbol {
    std::string_view name;
    std::string_view module;  ///< empty: the kernel itself
    std::uint64_t address = 0;
    std::uint64_t size = 0;  ///< bytes up to the next symbol; 0 unknown
    bool global = false;     ///< type T or W
};

struct Location {
    Symbol symbol;
    std::uint64_t offset = 0;
};

/// "name", "name+0x1c", with " [module]" behind it for a module.
std::string to_string(const Location& location);

class Symbols {
public:
    /// Reads all of /proc/kallsyms: some 50 ms and 10 MB. Hidden addresses are an error.
    static Result<Symbols> read(const Root& root);
    /// Those of a kernel that does not run, sorted by address.
    static Symbols of(const std::vector<ListedSymbol>& listed);

    /// The function an address lies in. Of several names at one address the plain global one.
    std::optional<Location> resolve(std::uint64_t address) const;

    /// All symbols of exactly this name; MODULE:NAME looks in that module only.
    std::vector<Symbol> find(std::string_view name) const;

    /// The same with the compiler's variants: NAME.isra.0, NAME.constprop.0, NAME.part.0,
    /// NAME.llvm.123. NAME.cold only where `cold` asks for it: it is a piece, not a function.
    std::vector<Symbol> find_variants(std::string_view name, bool cold = false) const;

    /// All functions whose name without the variant suffix matches a glob of fnmatch(3), without
    /// cold pieces and __pi_ aliases; by address.
    std::vector<Symbol> match(const std::string& glob) const;

    /// The at most n names most like a misspelt one, best first; then names that begin with it.
    std::vector<std::string> nearest(std::string_view name, std::size_t n) const;

    /// Where the kernel's own text begins and ends, modules and initialisation left out; 0, 0
    /// where there is no _stext.
    std::pair<std::uint64_t, std::uint64_t> kernel_text() const;

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        std::uint64_t address;
        std::uint32_t name;  ///< offset into names_
        std::uint16_t length;
        std::uint16_t module;  ///< index into modules_, 0: the kernel
        char type;             ///< of kallsyms; 0: no function begins here, the one before ends
    };

    void add(const KallsymsLine& line, std::uint64_t address, bool& after_text);
    std::uint16_t module_index(std::string_view module);
    void sort();
    std::string_view name_of(const Entry& entry) const;
    unsigned rank(const Entry& entry) const;
    Symbol symbol_at(std::size_t index) const;

    std::vector<Entry> entries_;  ///< by address
    std::string names_;
    std::vector<std::string> modules_{""};
};

}  // namespace kcost::kernel
