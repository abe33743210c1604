// A planned site's constants for its programs.
#pragma once

#include "bpf/abi.h"
#include "model/hot_path.h"
#include "probe/plan.h"

namespace kcost::probe {

struct SettingsContext {
    std::uint32_t cpus = 1;
    std::uint32_t sets = 1;
    std::uint32_t payers_one_in = 0;  ///< 0: no payers; else a power of two
};

/// Site number `index` of the plan. Errors for conditions that a mechanism cannot test.
Result<kc_settings> make_settings(const Plan& plan, std::size_t index,
                                  const SettingsContext& context);

}  // namespace kcost::probe
