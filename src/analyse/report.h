// From a Recording to what views and exports show. Pure.
#pragma once

#include "model/recording.h"
#include "model/report.h"

namespace kcost {

/// Rows in the order of the recording's targets; under a target its sites where it has several
/// (depth 1), and the values of its split (depth 1, or 2 under a site), most calls first. A row of
/// a split has no mechanism; a target that could not be measured has neither mechanism nor
/// figures. The report points into the recording, which must outlive it.
model::Report make_report(const model::Recording& recording);

}  // namespace kcost
