#include "cli/self_test.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/signals.h"
#include "base/text.h"
#include "model/figures.h"
#include "model/hot_path.h"
#include "probe/session.h"
#include "workload/calls.h"
#include "workload/child.h"
#include "workload/page_reuse.h"
#include "workload/round_trips.h"
#include "workload/slot_flush.h"

namespace kcost {
namespace {

using State = Finding::State;

constexpr std::uint64_t kBeat_ns = 1'000'000'000;
constexpr unsigned kLongestWork_s = 8;

constexpr std::uint32_t kOwnCalls = 1000;
constexpr std::uint32_t kSystemCalls = 1000;
constexpr std::uint32_t kSlotFlushes = 2000;
constexpr std::uint32_t kPageReuses = 1024;
constexpr std::uint32_t kRoundTrips = 1000;
constexpr std::uint64_t kFewFlushes = 20;
constexpr std::uint64_t kFewOthers = 200;
constexpr std::uint64_t kInstructionBytes = 4;

#if defined(__aarch64__)
constexpr bool kArm64 = true;
#else
constexpr bool kArm64 = false;
#endif

// What a session of one target saw, and whose hits are the workload's.
struct Seen {
    const model::Recording& recording;
    std::string comm;

    const model::Target& target() const { return recording.targets.front(); }

    std::uint64_t calls() const {
        model::Figures sum;
        for (const model::Site& site : target().sites) model::add(sum, site.figures);
        return model::calls_of(target(), sum);
    }
    // Others hit the target too, so each hit brought its payer.
    std::uint64_t own_calls() const {
        std::uint64_t sum = 0;
        for (const model::Payer& payer : recording.payers) {
            if (payer.comm == comm) sum += payer.spans;
        }
        return sum;
    }
    std::uint64_t calls_with_value(std::uint64_t value) const {
        std::uint64_t sum = 0;
        for (const model::Site& site : target().sites) {
            for (const model::SplitRow& row : site.splits) {
                if (row.value == value) sum += row.figures.entries;
            }
        }
        return sum;
    }
    std::string mechanism() const {
        return target().sites.empty() ? "none" : target().sites.front().mechanism;
    }
};

struct Verdict {
    bool ok;
    std::string detail;
};

struct Check {
    std::string name;
    bool only_on_arm64;
    bool by_process;  ///< the whole machine's count would not do
    model::HotPath target;
    std::function<Result<void>()> work;
    Verdict (*judge)(const Seen&);
};

std::string number(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

Verdict judge_own_calls(const Seen& seen) {
    return {seen.calls() == kOwnCalls,
            fmt::format("{} calls of {} of kcost's own function ({})", number(seen.calls()),
                        number(kOwnCalls), seen.mechanism())};
}

Verdict judge_system_calls(const Seen& seen) {
    return {seen.own_calls() == kSystemCalls,
            fmt::format("{} calls of {} by one process ({}, {} by all)", number(seen.own_calls()),
                        number(kSystemCalls), seen.mechanism(), number(seen.calls()))};
}

// A kernel either flushes on every hit, or sees that the slot has the instruction already: then
// the first hit alone flushes.
Verdict judge_slot_flushes(const Seen& seen) {
    std::uint64_t flushes = seen.calls_with_value(kInstructionBytes);
    bool every = flushes >= kSlotFlushes && flushes <= kSlotFlushes + kFewFlushes;
    bool first = flushes >= 1 && flushes < kFewFlushes;
    const char* meaning = every   ? "this kernel flushes on every hit"
                          : first ? "this kernel skips the flush where the slot is unchanged"
                                  : "neither every hit nor the first alone";
    return {every || first,
            fmt::format("{} slot flushes of {} uprobe hits ({}; {})", number(flushes),
                        number(kSlotFlushes), seen.mechanism(), meaning)};
}

Verdict judge_page_reuses(const Seen& seen) {
    std::uint64_t own = seen.own_calls();
    std::uint64_t off = own > kPageReuses ? own - kPageReuses : kPageReuses - own;
    return {off * 100 <= kPageReuses,
            fmt::format("{} flushes of {} page reuses ({}, {} on the whole machine)", number(own),
                        number(kPageReuses), seen.mechanism(), number(seen.calls()))};
}

// Mapping a page of code brings a few more; a CPU with a VIPT I-cache comes here for nothing else.
Verdict judge_cache_cleans(const Seen& seen) {
    std::uint64_t cleans = seen.calls();
    bool every = cleans >= kSlotFlushes && cleans <= kSlotFlushes + kFewOthers;
    bool few = cleans < kFewOthers;
    return {every || few,
            fmt::format("{} calls by {} uprobe hits ({}; {})", number(cleans), number(kSlotFlushes),
                        seen.mechanism(), every ? "one for each hit" : "none for a hit")};
}

// Where the write fault's flush is a local one (6.19 and newer) its sites are in tlbi-local.
Verdict judge_page_flushes(const Seen& seen) {
    std::uint64_t flushes = 0;
    for (const model::Site& site : seen.target().sites) {
        bool of_reuse = site.function.find("ptep_set_access_flags") != std::string::npos;
        if (of_reuse) flushes += site.figures.entries;
    }
    std::uint64_t off = flushes > kPageReuses ? flushes - kPageReuses : kPageReuses - flushes;
    bool broadcast = off * 100 <= kPageReuses;
    bool local = flushes * 100 <= kPageReuses;
    return {broadcast || local,
            fmt::format("{} broadcast flushes by {} page reuses ({}, {} of {} sites)",
                        number(flushes), number(kPageReuses), seen.mechanism(),
                        seen.target().sites.size(), seen.target().sites_found)};
}

// Where a kernel thread ran in between, the switch that follows is counted as its own.
Verdict judge_round_trips(const Seen& seen) {
    std::uint64_t wanted = std::uint64_t{2} * kRoundTrips;
    std::uint64_t own = seen.own_calls();
    bool ok =
        seen.calls() >= wanted && own >= wanted - wanted / 20 && own <= wanted + wanted / 100 + 50;
    return {ok, fmt::format("{} switches of {} by {} round trips ({}, {} on the whole machine)",
                            number(own), number(wanted), number(kRoundTrips), seen.mechanism(),
                            number(seen.calls()))};
}

model::HotPath built_in(const std::string& name) {
    for (const model::HotPath& path : model::built_in_hot_paths()) {
        if (path.name == name) return path;
    }
    return {};
}

model::HotPath own_function() {
    model::HotPath path;
    path.name = workload::kOwnFunction;
    path.functions = {workload::kOwnFunction};
    path.user_path = "/proc/self/exe";
    return path;
}

model::HotPath getppid() {
    model::HotPath path;
    path.name = "getppid";
    path.functions = {"__x64_sys_getppid"};
    return path;
}

std::vector<Check> all_checks() {
    using namespace workload;
    std::vector<Check> checks = {
        {"user-calls", false, false, own_function(), [] { return own_calls(kOwnCalls); },
         judge_own_calls},
        {"icache-flush", true, false, built_in("icache-flush"),
         [] { return slot_flush(kSlotFlushes); }, judge_slot_flushes},
        {"caches_clean_inval_pou", true, false, built_in("caches_clean_inval_pou"),
         [] { return slot_flush(kSlotFlushes); }, judge_cache_cleans},
        {"page-reuse", true, true, built_in("page-reuse"), [] { return page_reuse(kPageReuses); },
         judge_page_reuses},
        {"flush_tlb_page", true, false, built_in("flush_tlb_page"),
         [] { return page_reuse(kPageReuses); }, judge_page_flushes},
        {"context-switch", true, true, built_in("context-switch"),
         [] { return round_trips(kRoundTrips); }, judge_round_trips},
    };
    // On arm64 the hot paths prove as much.
    if (!kArm64) {
        checks.push_back({"getppid", false, true, getppid(),
                          [] { return getppid_calls(kSystemCalls); }, judge_system_calls});
    }
    return checks;
}

Result<void> run_to_end(workload::Child& child, probe::Session& session, Signals& signals) {
    auto released = child.release();
    if (!released) return released;
    for (unsigned second = 0; second < kLongestWork_s; second++) {
        for (;;) {
            Signals::Event event = signals.wait(kBeat_ns);
            if (event == Signals::Event::kInterrupt) {
                return fail("interrupted", "", ExitCode::kInterrupted);
            }
            if (auto status = child.poll()) {
                if (*status == 0) return {};
                return fail(fmt::format("its workload ended with status {}", *status));
            }
            if (event == Signals::Event::kTimeout) break;
        }
        auto beat = session.beat();
        if (!beat) return beat;
    }
    return fail(fmt::format("its workload did not end within {} s", kLongestWork_s));
}

Result<model::Recording> measure(const Check& check, const std::string& comm, Signals& signals) {
    // Forked before anything is attached, so that it holds nothing of it.
    auto child = workload::Child::start_held(check.name, [&] {
        ::prctl(PR_SET_NAME, comm.c_str());
        return check.work();
    });
    if (!child) return tl::unexpected(child.error());
    probe::SessionOptions options;
    options.payers_one_in = check.by_process ? 1 : 0;
    options.floors = false;
    model::HotPath target = check.target;
    target.run_queue_lock = true;  // no stacks: only the process is wanted, of every hit
    auto session = probe::Session::attach({target}, options);
    if (!session) return tl::unexpected(session.error());
    auto counting = session->start_counting();
    if (!counting) return tl::unexpected(counting.error());
    auto ended = run_to_end(*child, *session, signals);
    session->stop_counting();
    if (!ended) return tl::unexpected(ended.error());
    return session->recording(false);
}

// A count can be right by luck where hits were lost.
std::string losses_of(const model::Target& target) {
    std::string text;
    for (const model::Site& site : target.sites) {
        for (const model::Loss& loss : site.lost) {
            if (loss.kind == model::Loss::Kind::kOther || loss.count.value_or(0) == 0) continue;
            text += fmt::format("; lost {}: {}", number(*loss.count), loss.reason);
        }
    }
    return text;
}

Result<Finding> run_check(const Check& check, Signals& signals) {
    if (check.only_on_arm64 && !kArm64) {
        return Finding{check.name, State::kSkipped, "this hot path is arm64's", ""};
    }
    std::string comm = fmt::format("kc-test-{}", ::getpid());
    auto recording = measure(check, comm, signals);
    if (!recording) {
        const Error& error = recording.error();
        if (error.code == ExitCode::kInterrupted) return tl::unexpected(error);
        bool cannot = error.code == ExitCode::kCannotHere;
        return Finding{check.name, cannot ? State::kSkipped : State::kBad, error.what, error.hint};
    }
    Verdict verdict = check.judge({*recording, comm});
    std::string losses = losses_of(recording->targets.front());
    bool ok = verdict.ok && losses.empty();
    return Finding{check.name, ok ? State::kOk : State::kBad, verdict.detail + losses, ""};
}

}  // namespace

Result<std::vector<Finding>> run_self_test(void (*told)(const Finding&)) {
    auto signals = Signals::take();
    if (!signals) return tl::unexpected(signals.error());
    std::vector<Finding> findings;
    for (const Check& check : all_checks()) {
        auto found = run_check(check, *signals);
        if (!found) return tl::unexpected(found.error());
        if (told) told(*found);
        findings.push_back(std::move(*found));
    }
    return findings;
}

}  // namespace kcost
