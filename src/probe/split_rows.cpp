#include "probe/split_rows.h"

namespace kcost::probe {

std::vector<model::SplitRow> split_rows(const SpanPrograms& programs, const model::Split& split,
                                        const std::vector<model::Figures>& figures, Payers* names) {
    std::vector<model::SplitRow> rows;
    std::size_t count = figures.size();
    if (count < KC_SPLITS) return rows;
    for (std::size_t i = 0; i < count; i++) {
        model::SplitRow row;
        row.figures = figures[i];
        // Which row a call belongs to is known once it has returned.
        if (split.value && split.value->is_return) row.figures.entries = row.figures.spans;
        if (!row.figures.entries && !row.figures.spans) continue;
        const kc_split& key = programs.splits()[i];
        bool other = i + 1 == count;
        row.value_name = split.value_name;
        if (split.value && !other) row.value = key.value;
        if (other) row.caller = "other";
        if (split.by_caller && !other) {
            row.caller = key.caller ? names ? names->frame_name(key.caller, 0, true)
                                            : Payers::plain_name(key.caller)
                                    : "unknown";
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace kcost::probe
