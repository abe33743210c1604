// What a measurement runs, a COMMAND or work of kcost's own: started held back, let go once the
// probes count.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace kcost::workload {

class Child {
public:
    static Result<Child> start_held(const std::vector<std::string>& command);
    /// What it prints on both streams goes to `output`, it reads nothing, and it has a process
    /// group of its own, of which nothing is left when this ends. It is killed when kcost ends.
    static Result<Child> start_captured(const std::vector<std::string>& command, int output);
    /// `work` runs in the child, apart from this process's group: a Ctrl-C is for who measures.
    /// Where it fails its error is printed and the status is 1.
    static Result<Child> start_held(std::string name, const std::function<Result<void>()>& work);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    /// Kills it if it still runs; one that leads a group is asked first.
    ~Child();

    /// Lets it run; an error where there is no such COMMAND.
    Result<void> release();
    /// Its exit status once it has ended, 128 + signal where a signal ended it.
    std::optional<int> poll();
    /// Asks it to end; the destructor then waits up to three seconds for that.
    void terminate();

private:
    Child() = default;
    /// `run` gets where an errno can be written, does not return, and closes that once it runs.
    static Result<Child> fork_held(std::string name, bool apart,
                                   const std::function<void(int failure)>& run);
    void end();

    pid_t pid_ = -1;
    pid_t group_ = -1;    ///< that it leads, or led
    bool asked_ = false;  ///< to end
    std::string name_;
    Fd go_;       ///< a socket; a byte lets it run
    Fd failure_;  ///< errno of exec, or its end
};

}  // namespace kcost::workload
