// A figure with its interval, as every statistic here gives it. Passive.
#pragma once

namespace kcost::model {

/// `low` may be 0 and `high` infinite where the data set no bound; none is ever NaN.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Whether a ratio's interval leaves 1 out: the only decision that is taken from one.
inline bool excludes_one(const Estimate& ratio) { return ratio.low > 1 || ratio.high < 1; }

}  // namespace kcost::model
