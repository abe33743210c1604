// What is read from a Recording's figures in more than one place: sums, means, shares, scales.
#pragma once

#include <cstdint>
#include <vector>

#include "model/recording.h"

namespace kcost::model {

void add(Figures& sum, const Figures& part);

/// Entries, or where the result is filtered the spans that passed.
std::uint64_t calls_of(const Target& target, const Figures& figures);

double mean_ns(const Figures& figures);                               ///< 0 where nothing was timed
double quantile_ns(const Figures& figures, double fraction);          ///< never above max_ns
double share_of(const Recording& recording, const Figures& figures);  ///< of window × CPUs

/// A mean under twice what a span of nothing costs tells nothing about the function.
bool is_at_floor(const Figures& figures, std::uint64_t floor_ns);

/// Hits without a span, by whether they were entries.
struct LostSum {
    std::uint64_t of_entries = 0;
    std::uint64_t unseen = 0;
    bool unknown = false;  ///< there are more, and the kernel does not tell how many
};
void add(LostSum& sum, const Site& site);

/// A site of an operation that was never hit, as far as is known: those have dozens of sites.
bool is_idle(const Target& target, const Site& site);

/// By target: what a payer's figures are multiplied with to stand for all hits; 0 where no payer
/// was seen. From the true counts and not from one in N, so that the sums agree.
std::vector<double> payer_scales(const Recording& recording);

}  // namespace kcost::model
