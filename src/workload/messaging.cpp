// Groups of senders and receivers, each a process: every sender sends to every receiver of its
// group in turn, through sockets or pipes. Many short sleeps and wake-ups between address spaces.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <vector>

#include "base/fd.h"
#include "kernel/limits.h"
#include "workload/crew.h"
#include "workload/workload.h"

namespace kcost {
namespace {

using workload::Counter;
using workload::Job;

constexpr unsigned kSenders = 20;
constexpr unsigned kReceivers = 20;
constexpr unsigned kGroup = kSenders + kReceivers;
constexpr std::size_t kMessage_bytes = 100;  // less than a pipe writes at once

tl::unexpected<Error> fail_to(const char* what) {
    return fail(std::string("cannot ") + what + ": " + std::strerror(errno));
}

struct Channel {
    Fd in;
    Fd out;
};

Result<Channel> open_channel(bool pipe) {
    int ends[2];
    const int failed = pipe ? ::pipe2(ends, O_CLOEXEC)
                            : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    if (failed) return fail_to(pipe ? "make a pipe" : "make sockets");
    return Channel{Fd(ends[0]), Fd(ends[1])};
}

/// One for each receiver, group after group.
using Channels = std::vector<Channel>;

Result<Channels> open_channels(unsigned receivers, bool pipes) {
    constexpr unsigned kOthers = 64;
    auto raised = kernel::raise_open_files(2ull * receivers + kOthers);
    if (!raised) return tl::unexpected(raised.error());
    Channels channels;
    for (unsigned i = 0; i < receivers; i++) {
        auto channel = open_channel(pipes);
        if (!channel) return tl::unexpected(channel.error());
        channels.push_back(std::move(*channel));
    }
    return channels;
}

// Messages of many senders come back to back, and a read may end amid one.
Result<void> receive_all(int from, Counter& counter) {
    std::vector<char> buffer(kMessage_bytes);
    std::uint64_t messages = 0;
    std::size_t got = 0;
    for (;;) {
        const ssize_t bytes = ::read(from, buffer.data() + got, kMessage_bytes - got);
        if (bytes < 0) return fail_to("receive");
        if (bytes == 0) return {};
        got += static_cast<std::size_t>(bytes);
        if (got < kMessage_bytes) continue;
        got = 0;
        counter.units.store(++messages, std::memory_order_relaxed);
    }
}

Result<void> send_all(Job& job, const Channel* receivers, unsigned member) {
    const std::vector<char> message(kMessage_bytes, 'm');
    std::mt19937_64 random(job.plan().options.seed + member);
    unsigned to = static_cast<unsigned>(random() % kReceivers);
    std::uint64_t sent = 0;
    while (!job.stopped()) {
        if (::write(receivers[to].out.get(), message.data(), kMessage_bytes) !=
            static_cast<ssize_t>(kMessage_bytes)) {
            return fail_to("send");
        }
        job.counter(member).proof.store(++sent, std::memory_order_relaxed);
        to = (to + 1) % kReceivers;
    }
    return {};
}

// A receiver sees the end only when nobody has the other side open any more, itself included.
Result<void> play(Job& job, Channels& channels, unsigned member) {
    const unsigned group = member / kGroup;
    const unsigned place = member % kGroup;
    job.arrive();
    if (place >= kSenders) {
        const Fd from = std::move(channels[group * kReceivers + place - kSenders].in);
        channels.clear();
        return receive_all(from.get(), job.counter(member));
    }
    for (Channel& channel : channels) channel.in = Fd();
    return send_all(job, &channels[group * kReceivers], member);
}

Result<void> run(Job& job) {
    auto channels = open_channels(job.members() / kGroup * kReceivers, job.plan().options.pipes);
    if (!channels) return tl::unexpected(channels.error());
    return run_processes(
        job, [&](unsigned member) { return play(job, *channels, member); },
        [&] { channels->clear(); });
}

}  // namespace

extern const Workload kWorkloadMessaging = {
    .name = "messaging",
    .summary = "messages in groups of 20 senders and 20 receivers, all of them processes",
    .unit = "messages",
    .members_are = "processes",
    .run = run,
    .layout = {.members = kGroup, .default_cpus = 0, .one_a_cpu = false},
    .proof = "messages sent",
    .has_pipes = true,
};

}  // namespace kcost
