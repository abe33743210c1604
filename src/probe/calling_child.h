// A child process that makes a harmless system call when told to: what hardware breakpoints are
// tried on first, since a kernel that cannot step over them would stay in that call for ever.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/result.h"

namespace kcost::probe {

class CallingChild {
public:
    /// It runs on one CPU only, the last that this process may use.
    static Result<CallingChild> start();
    CallingChild(CallingChild&& other) noexcept;
    CallingChild& operator=(CallingChild&& other) noexcept;
    ~CallingChild();

    unsigned cpu() const { return cpu_; }

    /// Makes so many calls of getegid. False where they did not end in time.
    bool call(unsigned times, int timeout_ms) const;

private:
    CallingChild() = default;

    pid_t pid_ = 0;
    unsigned cpu_ = 0;
    Fd to_child_;
    Fd from_child_;
};

}  // namespace kcost::probe
