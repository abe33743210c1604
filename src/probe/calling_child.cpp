#include "probe/calling_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

namespace kcost::probe {
namespace {

unsigned last_cpu() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    unsigned last = 0;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return last;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed)) last = cpu;
    }
    return last;
}

void stay_on(unsigned cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) ::_exit(1);
}

// Nothing but system calls: it was forked from a process of any state.
[[noreturn]] void serve(int in, int out) {
    unsigned times = 0;
    while (::read(in, &times, sizeof times) == sizeof times) {
        for (unsigned i = 0; i < times; i++) ::syscall(SYS_getegid);
        if (::write(out, &times, sizeof times) != sizeof times) break;
    }
    ::_exit(0);
}

}  // namespace

Result<CallingChild> CallingChild::start() {
    int down[2];
    int up[2];
    if (::pipe2(down, O_CLOEXEC) != 0) return fail(std::string("pipe: ") + std::strerror(errno));
    Fd child_in(down[0]);
    CallingChild child;
    child.to_child_ = Fd(down[1]);
    if (::pipe2(up, O_CLOEXEC) != 0) return fail(std::string("pipe: ") + std::strerror(errno));
    Fd child_out(up[1]);
    child.from_child_ = Fd(up[0]);
    child.cpu_ = last_cpu();
    child.pid_ = ::fork();
    if (child.pid_ < 0) return fail(std::string("fork: ") + std::strerror(errno));
    if (child.pid_ == 0) {
        // Else it would not see its parent end.
        ::close(down[1]);
        stay_on(child.cpu_);
        serve(down[0], up[1]);
    }
    return child;
}

CallingChild::CallingChild(CallingChild&& other) noexcept { *this = std::move(other); }

CallingChild& CallingChild::operator=(CallingChild&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(cpu_, other.cpu_);
    std::swap(to_child_, other.to_child_);
    std::swap(from_child_, other.from_child_);
    return *this;
}

CallingChild::~CallingChild() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

bool CallingChild::call(unsigned times, int timeout_ms) const {
    if (::write(to_child_.get(), &times, sizeof times) != sizeof times) return false;
    pollfd ready{from_child_.get(), POLLIN, 0};
    int answered = 0;
    do {
        answered = ::poll(&ready, 1, timeout_ms);
    } while (answered < 0 && errno == EINTR);
    unsigned done = 0;
    return answered == 1 && ::read(from_child_.get(), &done, sizeof done) == sizeof done;
}

}  // namespace kcost::probe
