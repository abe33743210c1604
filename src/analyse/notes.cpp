#include "analyse/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "base/text.h"
#include "model/figures.h"

namespace kcost {
namespace {

using model::Loss;
using model::Recording;
using model::Site;
using model::Target;
using Notes = std::vector<std::string>;

std::string_view fact(const Recording& recording, std::string_view key) {
    for (const auto& [name, value] : recording.machine)
        if (name == key) return value;
    return {};
}

// "check_and_switch_context", or with the target that measures it where the names differ.
std::string full_name(const Target& target, const Site& site) {
    if (site.function == target.name) return site.function;
    return fmt::format("{} ({})", target.name, site.function);
}

void add_list(std::string& list, const std::string& item) {
    if (!list.empty()) list += ", ";
    list += item;
}

// Wide enough for any sum and difference of the counters.
__extension__ using Wide = __int128;

// What was lost in one way: the sum, and its reasons for a bracket.
struct Lost {
    Wide count = 0;
    std::string reasons;
};

Lost sum_losses(const Site& site, Loss::Kind kind) {
    Lost sum;
    for (const Loss& loss : site.lost) {
        if (loss.kind != kind || loss.count.value_or(0) == 0) continue;
        sum.count += *loss.count;
        add_list(sum.reasons, fmt::format("{} {}", loss.reason, *loss.count));
    }
    return sum;
}

void add_losses(Notes& notes, const std::string& name, const Site& site) {
    if (const Lost lost = sum_losses(site, Loss::Kind::kEntry); lost.count > 0)
        notes.push_back(fmt::format("{}: {} of {} entries lost ({})", name, lost.count,
                                    site.figures.entries, lost.reasons));
    if (const Lost unseen = sum_losses(site, Loss::Kind::kUnseen); unseen.count > 0)
        notes.push_back(fmt::format("{}: {} hits beside the {} counted were not seen ({})", name,
                                    unseen.count, site.figures.entries, unseen.reasons));
    if (const Lost other = sum_losses(site, Loss::Kind::kOther); other.count > 0)
        notes.push_back(fmt::format("{}: no hit lost, but: {}", name, other.reasons));

    std::string unknown;
    for (const Loss& loss : site.lost)
        if (!loss.count) add_list(unknown, loss.reason);
    if (!unknown.empty())
        notes.push_back(fmt::format("{}: losses unknown on this kernel: {}", name, unknown));
}

// entries = spans + rejected + in flight + lost. Where exits are not seen there is no balance.
void check_balance(Notes& notes, const std::string& name, const Site& site) {
    if (site.counted_only) return;
    Wide accounted = site.figures.spans;
    accounted += site.figures.rejected;
    accounted += site.in_flight;
    accounted += sum_losses(site, Loss::Kind::kEntry).count;
    const Wide difference = Wide{site.figures.entries} - accounted;
    if (difference != 0)
        notes.push_back(fmt::format("{}: ledger does not balance by {}: {} entries, {} accounted",
                                    name, difference, site.figures.entries, accounted));
}

// What was read while counting went on need not balance: a live view, or a checkpoint.
bool is_settled(const Recording& recording) { return recording.whole && !recording.live; }

// What of an operation was not hit, and what was hit and is not as it seems.
void add_sites(Notes& notes, const Target& target) {
    std::size_t idle = 0;
    for (const Site& site : target.sites) {
        const std::string name = full_name(target, site);
        if (model::is_idle(target, site)) {
            idle++;
            continue;
        }
        if (!site.counted_reason.empty())
            notes.push_back(fmt::format("{}: counted only: {}", name, site.counted_reason));
        if (site.repeated)
            notes.push_back(fmt::format(
                "{}: x2, each broadcast and its barrier run twice, for an erratum of this CPU",
                name));
        if (site.upper_bound)
            notes.push_back(fmt::format(
                "{}: an upper bound: an instruction that an interrupt delays traps again", name));
    }
    if (idle > 0)
        notes.push_back(fmt::format("{}: {} of the {} sites armed were never hit", target.name,
                                    idle, target.sites.size()));
}

// One note for all that were left out for one reason.
void add_skipped(Notes& notes, const Target& target) {
    std::vector<std::pair<const model::Skipped*, std::string>> groups;
    for (const model::Skipped& skipped : target.skipped) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
            return g.first->reason == skipped.reason && g.first->remedy == skipped.remedy;
        });
        if (group == groups.end())
            groups.emplace_back(&skipped, skipped.function);
        else
            add_list(group->second, skipped.function);
    }
    for (const auto& [skipped, functions] : groups)
        notes.push_back(fmt::format("{}: {} not measured{}: {}{}{}", target.name, functions,
                                    target.sites.empty() ? "" : ", figures are a lower bound",
                                    skipped->reason, skipped->remedy.empty() ? "" : "; ",
                                    skipped->remedy));
}

void add_target(Notes& notes, const Recording& recording, const Target& target) {
    if (!target.note.empty()) notes.push_back(fmt::format("{}: {}", target.name, target.note));
    for (const Site& site : target.sites) {
        // Of an operation's dozens of sites those that never ran have nothing to tell.
        if (model::is_idle(target, site)) continue;
        const std::string name = full_name(target, site);
        if (is_settled(recording)) check_balance(notes, name, site);
        add_losses(notes, name, site);
        if (!recording.live && target.filtered_by_result && site.in_flight > 0)
            notes.push_back(
                fmt::format("{}: calls that had not returned at the end, not counted: {}", name,
                            site.in_flight));
    }
    add_sites(notes, target);
    add_skipped(notes, target);
}

// When a moment of CLOCK_MONOTONIC was, where the recording says when it started on that clock.
std::optional<std::string> utc_of(const Recording& recording, std::uint64_t ns) {
    const auto started_ns = parse_number(fact(recording, "clock.started_ns"));
    std::tm parts{};
    const char* end = strptime(recording.started_at.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (!started_ns || ns < *started_ns || end == nullptr) return std::nullopt;
    return format_utc(timegm(&parts) +
                      static_cast<std::int64_t>((ns - *started_ns) / 1'000'000'000));
}

void add_gaps(Notes& notes, const Recording& recording) {
    for (const model::Gap& gap : recording.gaps) {
        const auto when = utc_of(recording, gap.start_ns);
        const std::uint64_t ns = gap.end_ns > gap.start_ns ? gap.end_ns - gap.start_ns : 0;
        notes.push_back(fmt::format("{}counting stopped for {:.1f} s: {}", when ? *when + ": " : "",
                                    static_cast<double>(ns) / 1e9, gap.cause));
    }
}

}  // namespace

Notes make_notes(const Recording& recording) {
    Notes notes;
    const std::string_view emulated = fact(recording, "emulated");
    if (!emulated.empty() && emulated != "no")
        notes.push_back(fmt::format("time is not true: emulated ({})", emulated));
    if (!recording.whole && !recording.live)
        notes.push_back(
            "a checkpoint, not the whole: the recorder had not finished, its ledger is open");
    for (const Target& target : recording.targets) add_target(notes, recording, target);
    add_gaps(notes, recording);
    if (!recording.payers.empty() && recording.payers_one_in > 1)
        notes.push_back(fmt::format("callers and processes from one hit in {}, scaled",
                                    recording.payers_one_in));
    notes.insert(notes.end(), recording.warnings.begin(), recording.warnings.end());
    return notes;
}

}  // namespace kcost
