#include "workload/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <optional>

#include "workload/child.h"
#include "workload/crew.h"
#include "workload/job.h"

namespace kcost::workload {
namespace {

constexpr std::uint64_t kSecond_ns = 1'000'000'000;
constexpr std::uint64_t kLook_ns = 5'000'000;
// To start the members, and to end: an emulated machine is slow. A footprint is filled and freed.
constexpr std::uint64_t kLongestSetUp_ns = 60 * kSecond_ns;
constexpr std::uint64_t kLongestEnd_ns = 30 * kSecond_ns;
constexpr std::uint64_t kLongestForGib_ns = 20 * kSecond_ns;
constexpr unsigned kMostIdleTicks = 30;

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kSecond_ns +
           static_cast<std::uint64_t>(now.tv_nsec);
}

// Raising it takes no rights. Without /proc the victim is chosen by size alone.
void be_the_first_victim() {
    const Fd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
    if (file) [[maybe_unused]]
        ssize_t written = ::write(file.get(), "1000", 4);
}

// Its error travels in the job: printed here it would come without its hint and exit code.
Result<void> run_apart(const Workload& workload, Job& job, pid_t runner) {
    end_with(runner);
    be_the_first_victim();
    auto done = workload.run(job);
    if (!done) job.keep(done.error());
    return {};
}

class Run {
public:
    Run(const Workload& workload, Job& job, Child& child, Signals& signals, const Hooks& hooks)
        : workload_(workload), job_(job), child_(child), signals_(signals), hooks_(hooks) {}

    /// False: interrupted, here as below.
    Result<bool> wait_for_arrival() {
        const std::uint64_t longest_ns = kLongestSetUp_ns + for_footprint_ns();
        const std::uint64_t until_ns = now_ns() + longest_ns;
        while (job_.arrived() < job_.members()) {
            if (now_ns() > until_ns) return tl::unexpected(hangs("did not begin", longest_ns));
            auto going_on = wait(kLook_ns);
            if (!going_on || !*going_on) return going_on;
        }
        return true;
    }

    Result<bool> warm_up(unsigned ticks) { return wait_until(now_ns() + ticks * kSecond_ns); }

    Result<bool> count(unsigned ticks, std::vector<model::Tick>& finished) {
        std::vector<std::uint64_t> before = units_by_cpu();
        std::uint64_t began_ns = now_ns();
        for (unsigned i = 0; i < ticks; i++) {
            // From the last one's end: had we been stopped, ticks of no length would follow.
            auto going_on = wait_until(began_ns + kSecond_ns);
            if (!going_on || !*going_on) return going_on;
            std::vector<std::uint64_t> after = units_by_cpu();
            const std::uint64_t ended_ns = now_ns();
            finished.push_back({ended_ns - began_ns, difference(after, before)});
            before = std::move(after);
            began_ns = ended_ns;
            auto told = hooks_.ticked ? hooks_.ticked() : Result<void>();
            if (!told) return tl::unexpected(told.error());
            auto works = not_hanging(finished.back());
            if (!works) return tl::unexpected(works.error());
        }
        return true;
    }

    Result<void> end() {
        job_.stop();
        const std::uint64_t longest_ns = kLongestEnd_ns + for_footprint_ns();
        const std::uint64_t until_ns = now_ns() + longest_ns;
        while (!status_ && now_ns() < until_ns) {
            if (signals_.wait(kLook_ns) == Signals::Event::kInterrupt) interrupted_ = true;
            status_ = child_.poll();
            auto told = tell_second();
            if (!told) return told;
        }
        if (!status_) return tl::unexpected(hangs("did not end", longest_ns));
        return *status_ == 0 && !job_.error() ? Result<void>() : tl::unexpected(failure());
    }

    /// While it ended: nothing is to follow.
    bool interrupted() const { return interrupted_; }

    model::Proof proof() const {
        model::Proof sum{workload_.proof, 0, 0};
        for (unsigned i = 0; i < job_.members(); i++) {
            sum.counted += job_.counter(i).proof.load();
            sum.units += job_.counter(i).units.load();
        }
        return sum;
    }

private:
    Result<bool> wait(std::uint64_t ns) {
        const Signals::Event event = signals_.wait(std::min(ns, kSecond_ns / 4));
        auto told = tell_second();
        if (!told) return tl::unexpected(told.error());
        if ((status_ = child_.poll()) || job_.error()) return tl::unexpected(failure());
        return event != Signals::Event::kInterrupt;
    }

    Result<bool> wait_until(std::uint64_t until_ns) {
        for (std::uint64_t now = now_ns(); now < until_ns; now = now_ns()) {
            auto going_on = wait(until_ns - now);
            if (!going_on || !*going_on) return going_on;
        }
        return true;
    }

    Result<void> tell_second() {
        const std::uint64_t now = now_ns();
        if (!hooks_.second || now < next_second_ns_) return {};
        next_second_ns_ = now + kSecond_ns;
        return hooks_.second();
    }

    std::uint64_t for_footprint_ns() const {
        return (job_.plan().options.footprint_bytes >> 30) * kLongestForGib_ns;
    }

    std::vector<std::uint64_t> units_by_cpu() const {
        const RunPlan& plan = job_.plan();
        std::vector<std::uint64_t> units(plan.cpus.size());
        for (unsigned i = 0; i < job_.members(); i++) {
            const auto at =
                std::lower_bound(plan.cpus.begin(), plan.cpus.end(), plan.member_cpus[i]);
            units[static_cast<std::size_t>(at - plan.cpus.begin())] +=
                job_.counter(i).units.load(std::memory_order_relaxed);
        }
        return units;
    }

    static std::vector<std::uint64_t> difference(const std::vector<std::uint64_t>& after,
                                                 const std::vector<std::uint64_t>& before) {
        std::vector<std::uint64_t> units(after.size());
        for (std::size_t i = 0; i < after.size(); i++) units[i] = after[i] - before[i];
        return units;
    }

    Result<void> not_hanging(const model::Tick& tick) {
        const bool idle = std::all_of(tick.units.begin(), tick.units.end(),
                                      [](std::uint64_t units) { return units == 0; });
        idle_ticks_ = idle ? idle_ticks_ + 1 : 0;
        if (idle_ticks_ < kMostIdleTicks) return {};
        return tl::unexpected(hangs("did nothing", kMostIdleTicks * kSecond_ns));
    }

    Error hangs(const char* what, std::uint64_t ns) const {
        return {fmt::format("{} {} within {} s", workload_.name, what, ns / kSecond_ns), ""};
    }

    Error failure() const {
        if (auto error = job_.error()) {
            return {fmt::format("cannot run {}: {}", workload_.name, error->what), error->hint,
                    error->code};
        }
        if (*status_ == 128 + SIGKILL) {
            return {fmt::format("{} was killed (signal 9)", workload_.name),
                    "dmesg, which tells whether memory was short"};
        }
        if (*status_ > 128) {
            return {fmt::format("{} was killed by signal {}", workload_.name, *status_ - 128), ""};
        }
        return {fmt::format("{} ended early, with status {}", workload_.name, *status_), ""};
    }

    const Workload& workload_;
    Job& job_;
    Child& child_;
    Signals& signals_;
    const Hooks& hooks_;
    std::uint64_t next_second_ns_ = now_ns() + kSecond_ns;
    std::optional<int> status_;
    unsigned idle_ticks_ = 0;
    bool interrupted_ = false;
};

model::Ticks describe(const Workload& workload, const RunPlan& plan) {
    model::Ticks ticks;
    ticks.workload = workload.name;
    ticks.unit = workload.unit;
    ticks.members_are = workload.members_are;
    ticks.members = static_cast<unsigned>(plan.member_cpus.size());
    ticks.cpus = plan.cpus;
    ticks.seed = plan.options.seed;
    ticks.footprint_bytes = plan.options.footprint_bytes;
    ticks.warm_up_ticks = plan.options.warm_up_ticks;
    ticks.asked_ticks = plan.options.ticks;
    return ticks;
}

Result<void> tell(const std::function<Result<void>()>& hook) {
    return hook ? hook() : Result<void>();
}

Result<bool> run_to_end(Run& run, const RunPlan& plan, const Hooks& hooks,
                        std::vector<model::Tick>& finished) {
    auto going_on = run.wait_for_arrival();
    if (going_on && *going_on) going_on = run.warm_up(plan.options.warm_up_ticks);
    if (!going_on || !*going_on) return going_on;
    auto told = tell(hooks.warmed_up);
    if (!told) return tl::unexpected(told.error());
    going_on = run.count(plan.options.ticks, finished);
    told = tell(hooks.counted);
    return told ? going_on : tl::unexpected(told.error());
}

}  // namespace

Result<model::Ticks> run(const Workload& workload, const RunPlan& plan, Signals& signals,
                         const Hooks& hooks) {
    auto job = Job::create(plan);
    if (!job) return tl::unexpected(job.error());
    const pid_t runner = ::getpid();
    auto child =
        Child::start_held(workload.name, [&] { return run_apart(workload, *job, runner); });
    if (!child) return tl::unexpected(child.error());
    auto told = tell(hooks.held);
    if (!told) return tl::unexpected(told.error());
    auto released = child->release();
    if (!released) return tl::unexpected(released.error());

    Run run(workload, *job, *child, signals, hooks);
    model::Ticks ticks = describe(workload, plan);
    auto whole = run_to_end(run, plan, hooks, ticks.ticks);
    if (!whole) return tl::unexpected(whole.error());
    auto ended = run.end();
    if (!ended) return tl::unexpected(ended.error());
    told = tell(hooks.ended);
    if (!told) return tl::unexpected(told.error());
    ticks.interrupted = !*whole || run.interrupted();
    if (ticks.ticks.empty() && !*whole) {
        return fail("interrupted before the first tick ended", "", ExitCode::kInterrupted);
    }
    ticks.proof = run.proof();
    if (std::string note = job->note(); !note.empty()) ticks.notes.push_back(std::move(note));
    return ticks;
}

}  // namespace kcost::workload
