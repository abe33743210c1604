// A measurement: attaches a plan's sites, lets them count, and gives what they saw as a Recording.
// With floor.h, for doctor, the only door to probe/ for the subcommands.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernel/root.h"
#include "model/hot_path.h"
#include "model/recording.h"
#include "probe/plan.h"

namespace kcost::probe {

struct SessionOptions {
    std::uint32_t payers_one_in = 64;  ///< 0: no callers and processes; else a power of two
    bool count_only = false;
    bool time_throwing = false;         ///< also programs that throw C++ exceptions
    std::function<bool()> interrupted;  ///< asked between sites while attaching; may be empty
    /// Told before each site how many of how many are attached; may be empty.
    std::function<void(std::size_t done, std::size_t all)> progress;
    unsigned allow_stops = 16;  ///< of all CPUs, by kprobes armed and disarmed
    bool floors = true;         ///< measure what a span of nothing costs before counting starts
    std::string command_line;
};

class Session {
public:
    /// Attaches everything that can be attached; counting has not begun. An error where no target
    /// can be measured, or where rights, memory or file descriptors do not suffice.
    static Result<Session> attach(std::vector<model::HotPath> targets,
                                  const SessionOptions& options);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// First measures the floor of each mechanism in use, some 0.1 s, unless that was done.
    Result<void> start_counting();
    /// To be called about every second: keeps the probes alive and names processes while they are.
    Result<void> beat();
    /// Within microseconds; detaching, which takes the kernel long, is another step.
    void stop_counting();
    /// Forgets each site's longest span, so that the next one shown is of the time from now on.
    void forget_maxima();

    /// All that was seen so far. With `names` frames are symbols, which reads all of kallsyms.
    model::Recording recording(bool names);

    /// Detaches site by site; `progress` is told how many of how many are done.
    void detach(void (*progress)(std::size_t done, std::size_t all) = nullptr);

    /// What to tell before counting: the plan's warnings, and targets that are not measured at all.
    std::vector<std::string> warnings() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace kcost::probe
