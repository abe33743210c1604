#include "workload/child.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/log.h"
#include "base/signals.h"
#include "base/text.h"
#include "workload/crew.h"

namespace kcost::workload {
namespace {

void wait_until_let(int go) {
    unblock_signals();
    char byte;
    // No byte: the parent is gone, and nothing is to be measured.
    if (::read(go, &byte, 1) != 1) ::_exit(0);
}

void run_command(const std::vector<std::string>& command, int failure) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    int error = errno;
    [[maybe_unused]] ssize_t written = ::write(failure, &error, sizeof error);
    ::_exit(127);
}

void redirect(int output) {
    const Fd nothing(::open("/dev/null", O_RDONLY));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
}

// Ends by _exit: what waits in the parent's buffers is the parent's to print.
void run_work(const std::function<Result<void>()>& work, int failure) {
    ::close(failure);
    auto done = work();
    if (!done) log::warn(done.error().what);
    ::_exit(done ? 0 : 1);
}

}  // namespace

Result<Child> Child::fork_held(std::string name, bool apart,
                               const std::function<void(int failure)>& run) {
    int go[2];
    int failure[2];
    // A socket: whoever writes to a pipe of a child that was killed is killed by that.
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go) || ::pipe2(failure, O_CLOEXEC)) {
        return fail(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    Child child;
    child.name_ = std::move(name);
    Fd go_read(go[0]);
    Fd failure_write(failure[1]);
    child.go_ = Fd(go[1]);
    child.failure_ = Fd(failure[0]);
    child.pid_ = ::fork();
    if (child.pid_ < 0) return fail(std::string("cannot fork: ") + std::strerror(errno));
    if (child.pid_ == 0) {
        ::close(go[1]);
        if (apart) ::setpgid(0, 0);
        wait_until_let(go[0]);
        run(failure[1]);
    }
    if (apart) {
        ::setpgid(child.pid_, 0);  // whoever of the two comes first
        child.group_ = child.pid_;
    }
    return child;
}

Result<Child> Child::start_held(const std::vector<std::string>& command) {
    return fork_held(command.front(), false, [&](int failure) { run_command(command, failure); });
}

Result<Child> Child::start_captured(const std::vector<std::string>& command, int output) {
    const pid_t parent = ::getpid();
    return fork_held(command.front(), true, [&](int failure) {
        end_with(parent);
        redirect(output);
        run_command(command, failure);
    });
}

Result<Child> Child::start_held(std::string name, const std::function<Result<void>()>& work) {
    return fork_held(std::move(name), true, [&](int failure) { run_work(work, failure); });
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      group_(std::exchange(other.group_, -1)),
      asked_(other.asked_),
      name_(std::move(other.name_)),
      go_(std::move(other.go_)),
      failure_(std::move(other.failure_)) {}

Child::~Child() {
    go_ = Fd();
    if (pid_ > 0) end();
    // What a leader left behind would disturb what is measured next.
    if (group_ > 0) ::kill(-group_, SIGKILL);
}

void Child::end() {
    if (group_ > 0) asked_ = ::kill(-group_, SIGTERM) == 0;
    // One that was asked to end gets the time for it.
    for (int tries = 0; asked_ && tries < 300; tries++) {
        if (poll()) return;
        ::usleep(10'000);
    }
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

Result<void> Child::release() {
    if (::send(go_.get(), "", 1, MSG_NOSIGNAL) != 1)
        return fail("cannot start " + escape_for_terminal(name_) + ": it was ended before");
    int error = 0;
    // The end of the pipe without a number: exec closed it, so COMMAND runs.
    if (::read(failure_.get(), &error, sizeof error) != sizeof error) return {};
    return fail("cannot run " + escape_for_terminal(name_) + ": " + std::strerror(error),
                "give COMMAND by its path, or one that PATH has");
}

std::optional<int> Child::poll() {
    if (pid_ <= 0) return std::nullopt;
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::terminate() {
    if (pid_ > 0) asked_ = ::kill(pid_, SIGTERM) == 0;
}

}  // namespace kcost::workload
