#include "analyse/permutation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace kcost {
namespace {

constexpr std::size_t kFewestUnits = 6;
constexpr std::size_t kFewestOnSide = 2;
constexpr std::size_t kMostDeals = 20'000;

// The units of both sides, centred: sums of squares lose no digits then.
struct Pool {
    std::vector<double> values;
    std::size_t before = 0;
    double sum = 0;
    double squares = 0;
};

Pool make_pool(const std::vector<double>& before, const std::vector<double>& after) {
    Pool pool;
    pool.before = before.size();
    pool.values = before;
    pool.values.insert(pool.values.end(), after.begin(), after.end());
    const double all = static_cast<double>(pool.values.size());
    const double mean = std::accumulate(pool.values.begin(), pool.values.end(), 0.0) / all;
    for (double& value : pool.values) {
        value -= mean;
        pool.sum += value;
        pool.squares += value * value;
    }
    return pool;
}

// |Welch's t| with these units before and the others after.
template <typename Indices>
double statistic(const Pool& pool, const Indices& before) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < pool.before; i++) {
        const double value = pool.values[before[i]];
        sum += value;
        squares += value * value;
    }
    const double n = static_cast<double>(pool.before);
    const double m = static_cast<double>(pool.values.size()) - n;
    const double rest = pool.sum - sum;
    const double difference = std::abs(sum / n - rest / m);
    const double variance = std::max(0.0, squares - sum * sum / n) / (n - 1) / n +
                            std::max(0.0, pool.squares - squares - rest * rest / m) / (m - 1) / m;
    constexpr double kRounding = 1e-12;
    if (difference <= kRounding) return 0;
    if (variance <= kRounding * kRounding) return std::numeric_limits<double>::infinity();
    return difference / std::sqrt(variance);
}

// C(n, k), as far as it matters.
std::size_t count_deals(std::size_t n, std::size_t k) {
    double deals = 1;
    for (std::size_t i = 1; i <= k; i++)
        deals *= static_cast<double>(n - k + i) / static_cast<double>(i);
    return deals > 1e15 ? std::numeric_limits<std::size_t>::max()
                        : static_cast<std::size_t>(std::llround(deals));
}

// The next subset of 0…n-1 in lexical order.
bool next_deal(std::vector<std::size_t>& deal, std::size_t n) {
    const std::size_t k = deal.size();
    for (std::size_t i = k; i-- > 0;) {
        if (deal[i] == n - k + i) continue;
        deal[i]++;
        for (std::size_t j = i + 1; j < k; j++) deal[j] = deal[j - 1] + 1;
        return true;
    }
    return false;
}

// A deal and its mirror differ by rounding only.
bool as_far(double statistic, double measured) { return statistic >= measured * (1 - 1e-9); }

double exact_p(const Pool& pool, double measured, std::size_t deals) {
    std::vector<std::size_t> deal(pool.before);
    std::iota(deal.begin(), deal.end(), 0);
    std::size_t far = 0;
    do far += as_far(statistic(pool, deal), measured);
    while (next_deal(deal, pool.values.size()));
    return static_cast<double>(far) / static_cast<double>(deals);
}

// std::shuffle gives other results with another library.
void draw(std::vector<std::size_t>& deal, std::size_t wanted, std::mt19937_64& random) {
    for (std::size_t i = 0; i < wanted; i++)
        std::swap(deal[i], deal[i + random() % (deal.size() - i)]);
}

double drawn_p(const Pool& pool, double measured, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> deal(pool.values.size());
    std::iota(deal.begin(), deal.end(), 0);
    std::size_t far = 1;
    for (std::size_t i = 0; i < kMostDeals; i++) {
        draw(deal, pool.before, random);
        far += as_far(statistic(pool, deal), measured);
    }
    return static_cast<double>(far) / static_cast<double>(kMostDeals + 1);
}

}  // namespace

std::optional<Permutation> permutation_test(const std::vector<double>& before,
                                            const std::vector<double>& after, std::uint64_t seed) {
    if (before.size() + after.size() < kFewestUnits) return std::nullopt;
    if (std::min(before.size(), after.size()) < kFewestOnSide) return std::nullopt;
    const Pool pool = make_pool(before, after);
    std::vector<std::size_t> as_measured(pool.before);
    std::iota(as_measured.begin(), as_measured.end(), 0);
    const double measured = statistic(pool, as_measured);
    const std::size_t deals = count_deals(pool.values.size(), pool.before);

    Permutation result;
    result.exact = deals <= kMostDeals;
    result.deals = std::min(deals, kMostDeals);
    result.p = result.exact ? exact_p(pool, measured, deals) : drawn_p(pool, measured, seed);
    const double extreme = before.size() == after.size() ? 2 : 1;
    result.least_p = result.exact ? extreme / static_cast<double>(deals)
                                  : 1 / static_cast<double>(kMostDeals + 1);
    return result;
}

}  // namespace kcost
