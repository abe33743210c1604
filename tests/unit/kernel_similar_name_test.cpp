#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernel/similar_name.h"

namespace kcost::kernel {
namespace {

/// The whole table, as textbooks have it.
std::size_t plain_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); i++) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); j++) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); i++) {
        for (std::size_t j = 1; j <= b.size(); j++) {
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({replaced, d[i - 1][j] + 1, d[i][j - 1] + 1});
        }
    }
    return d[a.size()][b.size()];
}

TEST(EditDistance, KnownCases) {
    EXPECT_EQ(edit_distance("", "", 0), 0u);
    EXPECT_EQ(edit_distance("", "ab", 2), 2u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3u) << "limit + 1";
    EXPECT_EQ(edit_distance("abc", "abcdefgh", 2), 3u);
    EXPECT_EQ(edit_distance(std::string(600, 'a'), std::string(600, 'a'), 2), 3u) << "too long";
}

TEST(EditDistance, EqualsThePlainAlgorithmWithinTheLimit) {
    unsigned state = 1;
    const auto random = [&state](unsigned below) {
        state = state * 1103515245 + 12345;
        return (state >> 16) % below;
    };
    for (int round = 0; round < 5000; round++) {
        std::string a(random(9), 'a');
        std::string b(random(9), 'a');
        for (char& c : a) c = static_cast<char>('a' + random(3));
        for (char& c : b) c = static_cast<char>('a' + random(3));
        const std::size_t limit = random(5);
        EXPECT_EQ(edit_distance(a, b, limit), std::min(plain_distance(a, b), limit + 1))
            << a << " " << b << " " << limit;
    }
}

}  // namespace
}  // namespace kcost::kernel
