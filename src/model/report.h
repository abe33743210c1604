// What a view or an export needs, computed from a Recording by analyse/report.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/recording.h"

namespace kcost::model {

struct ReportRow {
    std::string name;
    std::string mechanism;  ///< "fentry", or "fentry, kprobe" where sites differ
    unsigned depth = 0;     ///< 0 target, 1 a split or a site of it
    std::uint64_t calls = 0;
    double calls_per_s = 0;
    bool timed = false;
    std::uint64_t total_ns = 0;
    std::uint64_t self_ns = 0;
    double share = 0;        ///< total time / (window × CPUs), 0…1
    bool cpu_share = false;  ///< else elapsed share
    double mean_ns = 0;
    double p50_ns = 0;
    double p99_ns = 0;
    std::uint64_t max_ns = 0;
    std::uint64_t floor_ns = 0;
    bool at_floor = false;   ///< mean under twice the floor
    std::uint64_t lost = 0;  ///< entries known not to have become spans
    bool lost_unknown = false;
    bool lower_bound = false;  ///< some sites could not be armed
    bool upper_bound = false;  ///< hits may have been counted more than once
};

/// A stack with its weights, scaled to all hits. Root first, ready for folding.
struct FoldedStack {
    std::vector<std::string> frames;
    std::string target;
    double calls = 0;
    double ns = 0;
};

struct Report {
    const Recording* recording = nullptr;
    std::vector<ReportRow> rows;
    std::vector<FoldedStack> stacks;
    std::vector<std::string> notes;  ///< losses, gaps, skipped targets, estimates: one line each
};

}  // namespace kcost::model
