// Looks of `confirm` at two measurements, which are counted in both files. Pure: it writes none.
#pragma once

#include <string>

#include "model/measurement.h"

namespace kcost {

/// This look as `side` keeps it. The same repetitions again are the same look.
model::Look look_at(const model::Measurement& side, const model::Measurement& other,
                    const std::string& at);

/// Which look at the two this is, counted from 1; looks at other kernels do not count.
unsigned number_of_look(const model::Measurement& before, const model::Measurement& after);

/// Whether `look` is among those of `side`.
bool has_look(const model::Measurement& side, const model::Look& look);

}  // namespace kcost
