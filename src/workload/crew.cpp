#include "workload/crew.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "workload/pin.h"

namespace kcost::workload {
namespace {

bool run_member(Job& job, const Member& member, unsigned number) {
    auto done = pin_to(job.plan().member_cpus[number]);
    if (done) done = member(number);
    if (done) return true;
    job.keep(done.error());
    job.stop();
    return false;
}

// Killed where they are left behind.
class Processes {
public:
    Processes() = default;
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    ~Processes() {
        for (pid_t pid : pids_) ::kill(pid, SIGKILL);
        while (!pids_.empty() && reap()) continue;
    }

    void add(pid_t pid) { pids_.push_back(pid); }
    bool empty() const { return pids_.empty(); }

    /// The status of the next that ends; nothing where there is none.
    std::optional<int> reap() {
        int status = 0;
        pid_t pid = 0;
        do {
            pid = ::waitpid(-1, &status, 0);
        } while (pid < 0 && errno == EINTR);
        if (pid < 0) return std::nullopt;
        std::erase(pids_, pid);
        return status;
    }

private:
    std::vector<pid_t> pids_;
};

std::string describe_end(int status) {
    if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

Result<void> wait_for_all(Job& job, Processes& processes) {
    while (!processes.empty()) {
        const auto status = processes.reap();
        if (!status) return fail(std::string("cannot wait for a process: ") + std::strerror(errno));
        if (*status == 0 && job.stopped()) continue;
        if (auto error = job.error()) return tl::unexpected(*error);
        return fail("a process of the workload " + describe_end(*status));
    }
    return {};
}

}  // namespace

void end_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it ended before that
}

Result<void> run_threads(Job& job, const Member& member) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < job.members(); i++) {
        try {
            threads.emplace_back([&job, &member, i] { run_member(job, member, i); });
        } catch (const std::system_error& error) {
            // Those that wait for it are ended with the process, by who measures.
            job.keep({std::string("cannot start a thread: ") + error.what(), "fewer --threads"});
            job.stop();
            break;
        }
    }
    for (std::thread& thread : threads) thread.join();
    auto error = job.error();
    return error ? tl::unexpected(*error) : Result<void>();
}

Result<void> run_processes(Job& job, const Member& member, const std::function<void()>& forked) {
    const pid_t host = ::getpid();
    Processes processes;
    for (unsigned i = 0; i < job.members(); i++) {
        pid_t pid = ::fork();
        if (pid < 0) return fail(std::string("cannot fork: ") + std::strerror(errno));
        if (pid == 0) {
            end_with(host);
            ::_exit(run_member(job, member, i) ? 0 : 1);
        }
        processes.add(pid);
    }
    forked();
    return wait_for_all(job, processes);
}

}  // namespace kcost::workload
