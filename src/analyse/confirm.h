// From two measurements to all that `kcost confirm` tells. Pure: it reads no file, counts no look,
// and knows no format.
#pragma once

#include <string>

#include "base/result.h"
#include "model/confirmation.h"
#include "model/measurement.h"
#include "model/patch.h"

namespace kcost {

struct ConfirmInput {
    const model::Measurement* before = nullptr;
    const model::Measurement* after = nullptr;
    std::string before_file;  ///< as they are called in what is told
    std::string after_file;
    const model::Patch* patch = nullptr;     ///< null: none is named
    const model::Measurement* aa = nullptr;  ///< an A/A of this machine; null: there is none
    std::string aa_file;
};

/// Error: a side without a session, sessions of several kernels on a side, or a fourth look.
Result<model::Confirmation> confirm(const ConfirmInput& input);

/// The patch that both were measured for; empty: none. Error: they were measured for different
/// ones.
Result<std::string> patch_of(const model::Measurement& before, const model::Measurement& after);

}  // namespace kcost
