#include "workload/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>

#include "base/fd.h"
#include "base/text.h"
#include "workload/child.h"

namespace kcost::workload {
namespace {

constexpr std::uint64_t kSecond_ns = 1'000'000'000;

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kSecond_ns +
           static_cast<std::uint64_t>(now.tv_nsec);
}

// Drains a pipe, so that the command never waits for it.
class Output {
public:
    explicit Output(Fd pipe) : pipe_(std::move(pipe)) {}

    int fd() const { return pipe_.get(); }

    void drain() {
        char piece[65536];
        for (;;) {
            const ssize_t got = ::read(pipe_.get(), piece, sizeof piece);
            if (got < 0 && errno == EINTR) continue;
            if (got == 0) pipe_ = Fd();  // closed by all that could write
            if (got <= 0) return;
            text_.append(piece, static_cast<std::size_t>(got));
            if (text_.size() > 2 * kKeptOutput_bytes) keep_the_last();
        }
    }

    std::string take() {
        keep_the_last();
        return std::move(text_);
    }

private:
    void keep_the_last() {
        if (text_.size() > kKeptOutput_bytes) text_.erase(0, text_.size() - kKeptOutput_bytes);
    }

    Fd pipe_;
    std::string text_;
};

std::string last_line(const std::string& output) {
    const std::string_view text = trim(output);
    constexpr std::size_t kMost = 200;
    return escape_for_terminal(text.substr(text.rfind('\n') + 1).substr(0, kMost));
}

Error failure(const std::string& name, int status, const std::string& output) {
    constexpr int kSignalled = 128;
    const std::string line = last_line(output);
    const std::string how = status > kSignalled
                                ? fmt::format("was killed by signal {}", status - kSignalled)
                                : fmt::format("ended with status {}", status);
    return {escape_for_terminal(name) + " " + how,
            line.empty() ? "" : "what it printed last: " + line};
}

class Run {
public:
    Run(Child& child, Output& output, Signals& signals, const Hooks& hooks)
        : child_(child), output_(output), signals_(signals), hooks_(hooks) {}

    /// None: it takes longer.
    Result<std::optional<int>> wait(std::uint64_t longest_ns) {
        const std::uint64_t began_ns = now_ns();
        for (;;) {
            const auto event = signals_.wait(kSecond_ns / 4, output_.fd());
            output_.drain();
            if (event == Signals::Event::kInterrupt)
                return fail("interrupted", "", ExitCode::kInterrupted);
            if (auto status = child_.poll()) {
                output_.drain();
                return status;
            }
            auto told = tell_second();
            if (!told) return tl::unexpected(told.error());
            if (now_ns() - began_ns > longest_ns) return std::optional<int>();
        }
    }

private:
    Result<void> tell_second() {
        const std::uint64_t now = now_ns();
        if (!hooks_.second || now < next_second_ns_) return {};
        next_second_ns_ = now + kSecond_ns;
        return hooks_.second();
    }

    Child& child_;
    Output& output_;
    Signals& signals_;
    const Hooks& hooks_;
    std::uint64_t next_second_ns_ = now_ns() + kSecond_ns;
};

}  // namespace

Result<CommandRun> run_command(const std::vector<std::string>& command, std::uint64_t longest_ns,
                               Signals& signals, const Hooks& hooks) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail(std::string("cannot make a pipe: ") + std::strerror(errno));
    Output output{Fd(ends[0])};
    Fd write_end(ends[1]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    auto child = Child::start_captured(command, write_end.get());
    if (!child) return tl::unexpected(child.error());
    write_end = Fd();
    auto told = hooks.held ? hooks.held() : Result<void>();
    if (!told) return tl::unexpected(told.error());

    const std::uint64_t began_ns = now_ns();
    auto released = child->release();
    if (!released) return tl::unexpected(released.error());
    auto status = Run(*child, output, signals, hooks).wait(longest_ns);
    CommandRun run{now_ns() - began_ns, output.take()};
    if (!status) return tl::unexpected(status.error());
    if (!*status) {
        return fail(fmt::format("{} did not end within {} s", escape_for_terminal(command.front()),
                                longest_ns / kSecond_ns),
                    "--timeout SECONDS, if it takes that long");
    }
    if (**status != 0) return tl::unexpected(failure(command.front(), **status, run.output));
    told = hooks.ended ? hooks.ended() : Result<void>();
    if (!told) return tl::unexpected(told.error());
    return run;
}

}  // namespace kcost::workload
