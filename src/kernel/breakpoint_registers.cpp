#include "kernel/breakpoint_registers.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/text.h"
#include "kernel/facts.h"

namespace kcost::kernel {
namespace {

constexpr std::size_t kHoldersNamed = 8;

#if defined(__aarch64__)
// struct user_hwdebug_state: the low byte of its first word is the number of registers.
Result<unsigned> registers_of(pid_t stopped_child) {
    std::uint32_t state[2 + 16 * 4] = {};
    iovec buffer{state, sizeof state};
    if (::ptrace(PTRACE_GETREGSET, stopped_child, NT_ARM_HW_BREAK, &buffer) != 0) {
        return fail(
            std::string("cannot count the CPU's breakpoints: ptrace: ") + std::strerror(errno),
            "run where ptrace is allowed, outside of a container");
    }
    return state[0] & 0xff;
}

pid_t start_stopped_child() {
    pid_t child = ::fork();
    if (child != 0) return child;
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    ::_exit(0);
}
#endif

std::string parameter(const Root& root, const std::string& module, const std::string& name) {
    std::string value = read_fact_or(root, "/sys/module/" + module + "/parameters/" + name, "");
    return value.starts_with(kUnknown) || value == "(null)" ? "" : value;
}

bool is_number(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool has_perf_event(const Root& root, const std::string& process) {
    const std::string folder = "/proc/" + process + "/fd";
    for (const std::string& fd : list_folder(root, folder)) {
        char target[64];
        const ssize_t length =
            ::readlink(root.at(folder + "/" + fd).c_str(), target, sizeof target);
        if (length > 0 && std::string_view(target, length) == "anon_inode:[perf_event]") {
            return true;
        }
    }
    return false;
}

/// The number of the process that traces this one; empty: none.
std::string tracer_of(const Root& root, const std::string& process) {
    const auto status = read_file(root.at("/proc/" + process + "/status"));
    if (!status) return "";
    for (const std::string_view line : split(*status, '\n')) {
        if (!line.starts_with("TracerPid:")) continue;
        const std::string_view tracer = trim(line.substr(10));
        return tracer == "0" ? "" : std::string(tracer);
    }
    return "";
}

}  // namespace

Result<unsigned> breakpoint_registers() {
#if defined(__aarch64__)
    const pid_t child = start_stopped_child();
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        return fail("cannot count the CPU's breakpoints: no child process to ask");
    }
    auto registers = registers_of(child);
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return registers;
#else
    return 4;  // DR0 to DR3, for instructions and data alike
#endif
}

std::string armed_kernel_debugger(const Root& root) {
    for (const char* module : {"kgdboc", "kgdbts", "kgdbdbgp", "kgdboe"}) {
        const std::string value = parameter(root, module, module);
        if (!value.empty()) return std::string(module) + "=" + value;
    }
    return "";
}

std::vector<std::string> breakpoint_holders(const Root& root) {
    std::vector<std::string> holders;
    for (const std::string& process : list_folder(root, "/proc")) {
        if (!is_number(process) || process == std::to_string(::getpid())) continue;
        std::string holder = has_perf_event(root, process) ? process : tracer_of(root, process);
        if (holder.empty() || holder == std::to_string(::getpid())) continue;
        const std::string name = read_fact(root, "/proc/" + holder + "/comm") + " (" + holder + ")";
        const bool named = std::find(holders.begin(), holders.end(), name) != holders.end();
        if (!named) holders.push_back(name);
        if (holders.size() == kHoldersNamed) break;
    }
    return holders;
}

}  // namespace kcost::kernel
