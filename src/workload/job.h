// What a workload's processes and the one that measures them share, in shared memory: counters,
// when all are set up, when to stop, and why it failed.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "workload/run_plan.h"

namespace kcost::workload {

/// Of one member, on cache lines of its own (some CPUs fetch two at once).
struct alignas(128) Counter {
    std::atomic<std::uint64_t> units;
    std::atomic<std::uint64_t> proof;  ///< what the kernel or the other side counted of them
};

class Job {
public:
    static Result<Job> create(const RunPlan& plan);
    Job(Job&& other) noexcept;
    Job& operator=(Job&&) = delete;
    ~Job();

    // For the workload.
    const RunPlan& plan() const { return *plan_; }
    unsigned members() const { return static_cast<unsigned>(plan_->member_cpus.size()); }
    Counter& counter(unsigned member) const;
    /// By each member once, when it is set up and its units count from now on.
    void arrive();
    bool stopped() const;
    /// A line for whoever reads the result.
    void note(std::string_view line);
    /// Only the first failure is kept: the others follow from it.
    void keep(const Error& error);
    void stop();

    // For who measures it.
    unsigned arrived() const;
    std::optional<Error> error() const;
    std::string note() const;

private:
    struct Shared;
    Job() = default;

    const RunPlan* plan_ = nullptr;
    Shared* shared_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace kcost::workload
