// Which names a misspelt one may have meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kcost::kernel {

/// Insertions, deletions and replacements between two names, or limit + 1 where it is more.
/// Fast where the names are unlike: it gives up at the first letter that makes it too many.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The at most n names most like a misspelt one, best first; none where nothing is like it.
std::vector<std::string> most_like(std::string_view wanted, const std::vector<std::string>& names,
                                   std::size_t n);

}  // namespace kcost::kernel
