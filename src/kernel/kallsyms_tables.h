// Two of the tables in which a kernel carries its own symbols: the names, and the tokens that they
// are packed with. Found in an image by what they look like; image_kallsyms.h has the rest.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kcost::kernel {

/*
 * kallsyms_token_table: 256 strings, one behind the other, each ended by a zero byte; then
 * kallsyms_token_index: where each begins, 16 bits each. Every byte of a packed name stands for one
 * of these strings. No other table has this form, so it is where the search begins. Rejected:
 * looking for the tokens "0" to "9" in a row, since a kernel may need one of these bytes for more.
 */
struct KallsymsTokens {
    std::size_t begin = 0;  ///< of the table
    std::size_t end = 0;    ///< behind the index
    std::array<std::string_view, 256> tokens;
};

/// Those that have that form, at most a few.
std::vector<KallsymsTokens> find_kallsyms_tokens(std::string_view image);

/*
 * kallsyms_num_syms: their number, 32 bits; kallsyms_names: for each symbol the length of its
 * packed name (seven bits, and seven more where the first byte has its highest bit set, which is
 * since Linux 73bbb94466fd ("kallsyms: support "big" kernel symbols") (v6.1)) and the name;
 * kallsyms_markers: where every 256th begins, 32 bits each. They stand in this order, before the
 * tokens; before 6.4 kallsyms_seqs_of_names, three bytes a symbol, may be between, which is not
 * needed here. Each marker is checked against the names.
 */
struct KallsymsNames {
    std::size_t begin = 0;           ///< of kallsyms_num_syms
    std::vector<std::string> names;  ///< the type, then the name
};

std::optional<KallsymsNames> find_kallsyms_names(std::string_view image,
                                                 const KallsymsTokens& tokens);

}  // namespace kcost::kernel
