#include "kernel/similar_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kcost::kernel {

namespace {

constexpr std::size_t kLongestName = 512;  // KSYM_NAME_LEN

}  // namespace

// Levenshtein's distance by rows, only the band of cells that can stay within the limit. Dropping
// names with another first letter was rejected: it loses __foo for foo and saves little, since the
// first rows already end the comparison of unlike names.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    if (a.size() > b.size()) std::swap(a, b);
    const std::size_t beyond = limit + 1;
    if (b.size() - a.size() > limit || b.size() >= kLongestName) return beyond;
    std::array<std::size_t, kLongestName> row;
    for (std::size_t i = 0; i <= a.size(); i++) row[i] = std::min(i, beyond);
    for (std::size_t j = 1; j <= b.size(); j++) {
        const std::size_t from = j > limit ? j - limit : 1;
        const std::size_t to = std::min(a.size(), j + limit);
        std::size_t diagonal = row[from - 1];
        row[from - 1] = from == 1 ? std::min(j, beyond) : beyond;
        std::size_t least = row[from - 1];
        for (std::size_t i = from; i <= to; i++) {
            const std::size_t above = i == j + limit ? beyond : row[i];
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = above;
            row[i] = std::min({replaced, above + 1, row[i - 1] + 1, beyond});
            least = std::min(least, row[i]);
        }
        if (least > limit) return beyond;
    }
    return row[a.size()];
}

std::vector<std::string> most_like(std::string_view wanted, const std::vector<std::string>& names,
                                   std::size_t n) {
    const std::size_t limit = std::clamp<std::size_t>(wanted.size() / 4, 1, 4);
    std::vector<std::pair<std::size_t, std::string>> candidates;
    for (const std::string& name : names) {
        std::size_t distance = edit_distance(wanted, name, limit);
        if (distance <= limit) candidates.emplace_back(distance, name);
    }
    std::sort(candidates.begin(), candidates.end());
    std::vector<std::string> best;
    for (auto& [distance, name] : candidates) {
        if (best.size() < n) best.push_back(std::move(name));
    }
    return best;
}

}  // namespace kcost::kernel
