#include "base/signals.h"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>

namespace kcost {
namespace {

sigset_t taken_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
    return set;
}

}  // namespace

Result<Signals> Signals::take() {
    sigset_t set = taken_signals();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd) return fail(std::string("cannot wait for signals: ") + std::strerror(errno));
    return Signals(std::move(fd));
}

Signals::Event Signals::wait(std::uint64_t timeout_ns, int read_fd) {
    timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                     static_cast<long>(timeout_ns % 1'000'000'000)};
    pollfd waited[] = {{fd_.get(), POLLIN, 0}, {read_fd, POLLIN, 0}};
    if (::ppoll(waited, 2, &timeout, nullptr) <= 0) return Event::kTimeout;
    if (waited[0].revents == 0) return Event::kReadable;
    signalfd_siginfo info;
    if (::read(fd_.get(), &info, sizeof info) != sizeof info) return Event::kTimeout;
    return info.ssi_signo == SIGCHLD ? Event::kChild : Event::kInterrupt;
}

bool Signals::interrupted_within(std::uint64_t duration_ns) {
    using std::chrono::steady_clock;
    const auto end = steady_clock::now() + std::chrono::nanoseconds(duration_ns);
    for (;;) {
        const auto left = std::max(end - steady_clock::now(), steady_clock::duration::zero());
        const Event event = wait(static_cast<std::uint64_t>(left.count()));
        if (event != Event::kChild) return event == Event::kInterrupt;
    }
}

void unblock_signals() {
    sigset_t set = taken_signals();
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace kcost
