// Write faults that reuse their page. Each round a child is forked, which write-protects all pages,
// runs another program and is gone; then threads write every page again: one fault, no copy, one
// TLB flush of a page each. Were the child still there, the pages would be copied instead.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "workload/crew.h"
#include "workload/workload.h"

namespace kcost {
namespace {

using workload::Counter;
using workload::Job;

// A page table's worth: in such blocks the seed shuffles the order.
constexpr std::size_t kBlock_pages = 512;

tl::unexpected<Error> fail_to(const char* what) {
    return fail(std::string("cannot ") + what + ": " + std::strerror(errno));
}

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t minor_faults() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return static_cast<std::uint64_t>(used.ru_minflt);
}

// One thread's pages. It fills them itself, pinned: a new page waits in its CPU's batch for the LRU
// lists, which holds a reference, and a write fault drains the batch of its own CPU only.
class Slice {
public:
    static Result<Slice> map(std::size_t pages, std::uint64_t seed) {
        Slice slice;
        slice.page_bytes_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        slice.pages_ = pages;
        const std::size_t bytes = pages * slice.page_bytes_;
        void* memory =
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return fail_to("map the footprint");
        slice.memory_ = static_cast<volatile char*>(memory);  // unmapped when the process ends
        // Without huge pages in the kernel there is nothing to switch off.
        if (::madvise(memory, bytes, MADV_NOHUGEPAGE) && errno != EINVAL) {
            return fail_to("switch off huge pages");
        }
        slice.blocks_.resize((pages + kBlock_pages - 1) / kBlock_pages);
        std::iota(slice.blocks_.begin(), slice.blocks_.end(), std::size_t{0});
        std::shuffle(slice.blocks_.begin(), slice.blocks_.end(), std::mt19937_64(seed));
        return slice;
    }

    /// `write_one` says after each page whether to go on.
    template <typename Written>
    void write_all(const Written& written) {
        for (std::size_t block : blocks_) {
            const std::size_t end = std::min(pages_, (block + 1) * kBlock_pages);
            for (std::size_t page = block * kBlock_pages; page < end; page++) {
                memory_[page * page_bytes_] = static_cast<char>(page);
                if (!written()) return;
            }
        }
    }

private:
    Slice() = default;
    volatile char* memory_ = nullptr;
    std::size_t page_bytes_ = 0;
    std::size_t pages_ = 0;
    std::vector<std::size_t> blocks_;  ///< in the order of writing
};

// Any program does, and where there is none its end: either way the child's pages are gone.
Result<void> fork_and_reap() {
    const pid_t child = ::fork();
    if (child < 0) return fail_to("fork");
    if (child == 0) {
        ::execl("/bin/true", "true", nullptr);
        ::_exit(0);
    }
    pid_t reaped = 0;
    do {
        reaped = ::waitpid(child, nullptr, 0);
    } while (reaped < 0 && errno == EINTR);
    return reaped == child ? Result<void>() : fail_to("wait for a child");
}

class Rounds {
public:
    explicit Rounds(Job& job) : job_(job), all_(job.members()) {}

    Result<void> run(unsigned member) {
        const std::size_t bytes = job_.plan().options.footprint_bytes / job_.members();
        const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        auto slice = Slice::map(bytes / page_bytes, job_.plan().options.seed + member);
        if (!slice) failed_ = true;  // the others wait for it
        if (slice) slice->write_all([this] { return !job_.stopped(); });
        job_.arrive();
        Result<void> forked;
        for (;;) {
            all_.arrive_and_wait();
            if (member == 0) forked = protect_pages();
            all_.arrive_and_wait();
            if (ended_) break;
            write(*slice, job_.counter(member));
        }
        if (member == 0) note_forks();
        return slice ? forked : tl::unexpected(slice.error());
    }

private:
    // While one thread is here the others wait, so that nobody writes beside the child.
    Result<void> protect_pages() {
        ended_ = failed_ || job_.stopped();
        if (ended_) return {};
        const std::uint64_t began_ns = now_ns();
        if (first_ns_ == 0) first_ns_ = began_ns;
        auto forked = fork_and_reap();
        ended_ = !forked;
        forks_++;
        forking_ns_ += now_ns() - began_ns;
        return forked;
    }

    void write(Slice& slice, Counter& counter) {
        std::uint64_t writes = counter.units.load(std::memory_order_relaxed);
        // Fork protects stacks too: the first faults on this one are no page's of the footprint.
        minor_faults();
        const std::uint64_t before = minor_faults();
        slice.write_all([&] {
            counter.units.store(++writes, std::memory_order_relaxed);
            return !job_.stopped();
        });
        counter.proof.fetch_add(minor_faults() - before, std::memory_order_relaxed);
    }

    void note_forks() {
        const std::uint64_t elapsed_ns = now_ns() - first_ns_;
        if (forks_ == 0 || elapsed_ns == 0) return;
        job_.note(fmt::format(
            "forks: {}, which took {:.0f}% of the time", forks_,
            100.0 * static_cast<double>(forking_ns_) / static_cast<double>(elapsed_ns)));
    }

    Job& job_;
    std::barrier<> all_;
    std::atomic<bool> failed_ = false;
    bool ended_ = false;  ///< written between two barriers, by one thread
    std::uint64_t first_ns_ = 0;
    std::uint64_t forking_ns_ = 0;
    std::uint64_t forks_ = 0;
};

Result<void> run(Job& job) {
    Rounds rounds(job);
    return run_threads(job, [&](unsigned member) { return rounds.run(member); });
}

}  // namespace

extern const Workload kWorkloadWpFault = {
    .name = "wp-fault",
    .summary = "pages written after a fork, once its child is gone",
    .unit = "writes",
    .members_are = "threads",
    .run = run,
    .layout = {.default_cpus = 4},
    .proof = "minor faults",
    .has_footprint = true,
};

}  // namespace kcost
