// Words and figures that several formats of `kcost confirm` share. Nothing here is escaped.
#pragma once

#include <string>
#include <vector>

#include "model/confirmation.h"

namespace kcost::confirm_words {

std::string change(double ratio);                    ///< "+121.4%", "unbounded"
std::string interval(const model::Estimate& ratio);  ///< "+121.4% (+97.8% to +147.9%)"
std::string rate(const model::Estimate& rate);       ///< "0.998 (0.987 to 1.009)"
std::string share(const model::Estimate& share);     ///< "34.1% (33.0% to 35.2%)"

/// "0.411 ± 0.005 -> 0.910 ± 0.001 M/s": both sides in one unit, ± the sd of boots.
struct Figures {
    std::string before;
    std::string after;
    std::string unit;
};
Figures figures(const model::ConfirmedMetric& metric);

std::string evidence(const model::PatchFinding& finding);  ///< "absent (kmalloc per hit)"
std::string title(const model::ConfirmedEffect& effect);   ///< "flushes per hit in uprobe-push"
/// One side of a mean: "1.2 us", "2416.3 instructions".
std::string mean(const model::ConfirmedEffect& effect, double value);
/// "5 boots, 30 bare, 30 probed and 0 sampled repetitions".
std::string measured(const model::ConfirmedSide& side);

/// What caps the verdict or must be known at once, such as "emulated".
std::vector<std::string> marks(const model::Confirmation& confirmation);

/// What was published of the same workload: "0.411 ± 0.005 -> 0.910 ± 0.001 M/s (+121.4%) on M".
std::vector<std::string> published(const model::Confirmation& confirmation,
                                   const std::string& workload);

/// The same of all other work, with its name.
std::vector<std::string> published_otherwise(const model::Confirmation& confirmation);

}  // namespace kcost::confirm_words
