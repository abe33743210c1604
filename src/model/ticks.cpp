#include "model/ticks.h"

#include <cmath>
#include <numeric>

namespace kcost::model {
namespace {

double per_s(std::uint64_t units, std::uint64_t elapsed_ns) {
    return elapsed_ns ? static_cast<double>(units) * 1e9 / static_cast<double>(elapsed_ns) : 0;
}

Rate summarise(const std::vector<double>& rates) {
    Rate rate;
    rate.n = rates.size();
    if (rates.empty()) return rate;
    const auto n = static_cast<double>(rates.size());
    rate.mean_per_s = std::accumulate(rates.begin(), rates.end(), 0.0) / n;
    double squares = 0;
    for (double value : rates) squares += (value - rate.mean_per_s) * (value - rate.mean_per_s);
    if (rates.size() > 1) rate.sd_per_s = std::sqrt(squares / (n - 1));
    return rate;
}

}  // namespace

std::uint64_t units_of(const Tick& tick) {
    return std::accumulate(tick.units.begin(), tick.units.end(), std::uint64_t{0});
}

std::uint64_t units_of(const std::vector<Tick>& ticks) {
    std::uint64_t units = 0;
    for (const Tick& tick : ticks) units += units_of(tick);
    return units;
}

Rate rate_of(const Ticks& ticks) {
    std::vector<double> rates;
    for (const Tick& tick : ticks.ticks) {
        rates.push_back(per_s(units_of(tick), tick.elapsed_ns));
    }
    return summarise(rates);
}

Rate rate_of_cpu(const Ticks& ticks, std::size_t cpu_index) {
    std::vector<double> rates;
    for (const Tick& tick : ticks.ticks) {
        rates.push_back(per_s(tick.units.at(cpu_index), tick.elapsed_ns));
    }
    return summarise(rates);
}

bool is_doubtful(const Proof& proof) {
    if (proof.what.empty()) return false;
    const auto more =
        proof.counted > proof.units ? proof.counted - proof.units : proof.units - proof.counted;
    return more * 100 > proof.units;
}

}  // namespace kcost::model
