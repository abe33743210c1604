// The estimate of model/ by the short name that the statistics use.
#pragma once

#include "model/estimate.h"

namespace kcost {

using model::Estimate;
using model::excludes_one;

}  // namespace kcost
