#include "export/ticks_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace kcost {
namespace {

std::string spread(const model::Ticks& ticks) {
    const std::size_t n = ticks.ticks.size();
    const std::string warm_up = fmt::format("{} s of warm-up before", ticks.warm_up_ticks);
    if (n == 1) return fmt::format("one tick of 1 s, so no spread is known; {}", warm_up);
    std::string text = fmt::format(
        "± is the sample standard deviation of {} ticks of 1 s, not the error of their mean; {}", n,
        warm_up);
    if (n < ticks.asked_ticks)
        text += fmt::format("; interrupted, {} asked for", ticks.asked_ticks);
    return text;
}

std::string members(const model::Ticks& ticks) {
    std::string what = ticks.members_are;
    if (ticks.members == 1) what = what.substr(0, what.find_last_of('s'));
    if (what == "processe") what = "process";
    std::string text = fmt::format("{} {}, pinned; seed {}", ticks.members, what, ticks.seed);
    if (ticks.footprint_bytes == 0) return text;
    return text +
           fmt::format("; footprint {}", format_bytes(static_cast<double>(ticks.footprint_bytes)));
}

std::string proof(const model::Ticks& ticks) {
    const model::Proof& proof = ticks.proof;
    return fmt::format("{}{} {} for {} {}, warm-up included",
                       is_doubtful(proof) ? "DOUBTFUL: " : "", proof.counted, proof.what,
                       proof.units, ticks.unit);
}

std::string fact(const model::Machine& machine, std::string_view key) {
    for (const auto& [name, value] : machine) {
        if (name == key) return value;
    }
    return "";
}

}  // namespace

std::string format_rate(const model::Rate& rate) {
    constexpr double kMillion = 1e6;
    // As the kernel's own benchmarks print it; more digits where those would say nothing.
    const int decimals = rate.mean_per_s >= kMillion / 10 ? 3 : 6;
    const std::string mean = fmt::format("{:.{}f}", rate.mean_per_s / kMillion, decimals);
    if (rate.n < 2) return mean + " M/s";
    return fmt::format("{} ± {:.{}f} M/s", mean, rate.sd_per_s / kMillion, decimals);
}

std::string render_ticks_text(const model::Ticks& ticks, const model::Machine& machine) {
    std::string out =
        fmt::format("{}: {} {}\n", ticks.workload, format_rate(rate_of(ticks)), ticks.unit);
    for (std::size_t i = 0; i < ticks.cpus.size(); i++) {
        out += fmt::format("  cpu {:<4} {}\n", ticks.cpus[i], format_rate(rate_of_cpu(ticks, i)));
    }
    std::vector<std::string> notes = {spread(ticks), members(ticks)};
    if (!ticks.proof.what.empty()) notes.push_back(proof(ticks));
    notes.insert(notes.end(), ticks.notes.begin(), ticks.notes.end());
    const std::string emulated = fact(machine, "emulated");
    if (!emulated.empty() && emulated != "no") {
        notes.push_back(fmt::format("time is not true: emulated ({})", emulated));
    }
    out += "\n";
    for (const std::string& note : notes) out += "- " + escape_for_terminal(note) + "\n";
    return out;
}

}  // namespace kcost
