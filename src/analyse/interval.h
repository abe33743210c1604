// What happened between two recordings of one session: the live view's interval. Pure.
#pragma once

#include "model/recording.h"

namespace kcost {

/// Later less earlier, for targets, sites, splits, losses and payers. Longest spans and what is in
/// flight are as they are in `later`. The result is marked live.
model::Recording since(const model::Recording& later, const model::Recording& earlier);

}  // namespace kcost
