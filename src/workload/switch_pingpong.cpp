// Two that pass a byte to and fro on one CPU, so that each waits for the other: two processes,
// where each switch is one to another address space, or two threads of one process, where none is.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/fd.h"
#include "workload/crew.h"
#include "workload/workload.h"

namespace kcost {
namespace {

using workload::Counter;
using workload::Job;

constexpr char kGoOn = 'x';
constexpr char kEnd = 'e';

// Pipes there and back.
struct Pair {
    Fd read_end[2];
    Fd write_end[2];
};

Result<std::vector<Pair>> make_pairs(unsigned pairs) {
    std::vector<Pair> made(pairs);
    for (Pair& pair : made) {
        for (int way = 0; way < 2; way++) {
            int ends[2];
            if (::pipe2(ends, O_CLOEXEC)) {
                return fail(std::string("cannot make a pipe: ") + std::strerror(errno));
            }
            pair.read_end[way] = Fd(ends[0]);
            pair.write_end[way] = Fd(ends[1]);
        }
    }
    return made;
}

// Also those of a task that was preempted as soon as it had woken the other one.
std::uint64_t own_switches() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return static_cast<std::uint64_t>(used.ru_nvcsw + used.ru_nivcsw);
}

Result<void> broken() {
    return fail(std::string("cannot pass a byte through a pipe: ") + std::strerror(errno));
}

// Each unit is a wait for the other, which is a switch to it.
Result<void> play(Job& job, const Pair& pair, unsigned member) {
    const bool asks = member % 2 == 0;
    const int from = pair.read_end[asks ? 1 : 0].get();
    const int to = pair.write_end[asks ? 0 : 1].get();
    Counter& counter = job.counter(member);
    job.arrive();
    const std::uint64_t before = own_switches();
    std::uint64_t waits = 0;
    char byte = kGoOn;
    if (asks && ::write(to, &byte, 1) != 1) return broken();
    for (;;) {
        if (::read(from, &byte, 1) != 1) return broken();
        if (byte == kEnd) break;
        counter.units.store(++waits, std::memory_order_relaxed);
        if (asks && job.stopped()) byte = kEnd;
        if (::write(to, &byte, 1) != 1) return broken();
        if (byte == kEnd) break;
    }
    counter.proof.store(own_switches() - before);
    return {};
}

Result<void> play_by_processes(Job& job) {
    auto pairs = make_pairs(job.members() / 2);
    if (!pairs) return tl::unexpected(pairs.error());
    return run_processes(
        job, [&](unsigned member) { return play(job, (*pairs)[member / 2], member); }, [] {});
}

Result<void> play_by_threads(Job& job) {
    auto pairs = make_pairs(job.members() / 2);
    if (!pairs) return tl::unexpected(pairs.error());
    return run_threads(job,
                       [&](unsigned member) { return play(job, (*pairs)[member / 2], member); });
}

constexpr workload::Layout kPairs = {.members = 2, .on_one_cpu = 2};
constexpr const char* kProof = "switches in the tasks' own figures";

}  // namespace

extern const Workload kWorkloadSwitchPingpong = {
    .name = "switch-pingpong",
    .summary = "switches between two processes that pass a byte to and fro on one CPU",
    .unit = "switches",
    .members_are = "processes",
    .run = play_by_processes,
    .layout = kPairs,
    .proof = kProof,
};

extern const Workload kWorkloadSwitchPingpongThreads = {
    .name = "switch-pingpong-threads",
    .summary = "the same by two threads of one process, which share their address space",
    .unit = "switches",
    .members_are = "threads",
    .run = play_by_threads,
    .layout = kPairs,
    .proof = kProof,
};

}  // namespace kcost
