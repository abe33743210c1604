// A site's figures by what its target is split by.
#pragma once

#include <vector>

#include "model/hot_path.h"
#include "model/recording.h"
#include "probe/payers.h"
#include "probe/span_programs.h"

namespace kcost::probe {

/// Rows that were hit, of the figures by split. Callers are addresses unless `names` is there to
/// name them.
std::vector<model::SplitRow> split_rows(const SpanPrograms& programs, const model::Split& split,
                                        const std::vector<model::Figures>& figures, Payers* names);

}  // namespace kcost::probe
