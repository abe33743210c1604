// Boots for tests of statistics: figures whose logs are given.
#pragma once

#include <cmath>
#include <vector>

#include "analyse/boots.h"
#include "analyse/compare.h"

namespace kcost::test {

/// One boot a row, exp() of each number a repetition.
inline std::vector<Boot> boots_of_logs(const std::vector<std::vector<double>>& logs) {
    std::vector<Boot> boots;
    for (const auto& row : logs) {
        boots.emplace_back();
        for (double log : row) boots.back().values.push_back(std::exp(log));
    }
    return boots;
}

/// One repetition a boot.
inline Units units_of_logs(const std::vector<double>& logs) {
    std::vector<std::vector<double>> rows;
    for (double log : logs) rows.push_back({log});
    return *make_units(boots_of_logs(rows), "figure");
}

inline Comparison comparison_of(const std::vector<double>& before,
                                const std::vector<double>& after) {
    return *compare(units_of_logs(before), units_of_logs(after), BootSpread{});
}

}  // namespace kcost::test
