// Waiting for what ends a measurement: a signal, a child's end, or a moment.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace kcost {

class Signals {
public:
    enum class Event { kTimeout, kChild, kInterrupt, kReadable };

    /// From now on SIGINT, SIGTERM, SIGHUP and SIGCHLD come through wait() only.
    static Result<Signals> take();

    /// Waits until one comes, at most this long; 0 looks and returns.
    Event wait(std::uint64_t timeout_ns) { return wait(timeout_ns, -1); }
    /// The same, and until there is something to read there, or its other end was closed.
    Event wait(std::uint64_t timeout_ns, int read_fd);

    /// Waits so long, whatever children do, and no longer once it is interrupted: true then.
    bool interrupted_within(std::uint64_t duration_ns);

private:
    explicit Signals(Fd fd) : fd_(std::move(fd)) {}
    Fd fd_;
};

/// To be called in a child before it runs another program: blocked signals would stay blocked.
void unblock_signals();

}  // namespace kcost
