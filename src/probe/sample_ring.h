// One CPU's samples: a perf event and the ring that the kernel writes them to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

struct perf_event_attr;

namespace kcost::probe {

struct Sample {
    bool in_kernel = false;
    std::span<const std::uint64_t> stack;  ///< of the kernel, the leaf first; empty in user space
};

class SampleRing {
public:
    /// Errors carry errno's text.
    static Result<SampleRing> open(perf_event_attr& attributes, unsigned cpu);
    SampleRing(SampleRing&& other) noexcept;
    SampleRing& operator=(SampleRing&&) = delete;
    ~SampleRing();

    void enable(bool on) const;
    /// Everything that is there. A record that makes no sense ends it: the rest is counted as lost.
    void drain(const std::function<void(const Sample&)>& take);

    std::uint64_t lost() const { return lost_; }
    /// The kernel paused sampling, and does not tell how much was not seen.
    bool was_throttled() const { return throttled_; }

private:
    SampleRing() = default;
    void read(std::uint64_t at, void* to, std::size_t bytes) const;
    void take_record(std::uint64_t at, std::uint32_t type, std::uint16_t misc, std::size_t bytes,
                     const std::function<void(const Sample&)>& take);

    Fd event_;
    unsigned char* memory_ = nullptr;
    std::size_t page_bytes_ = 0;
    std::size_t data_bytes_ = 0;
    std::uint64_t lost_ = 0;
    bool throttled_ = false;
    std::vector<std::uint64_t> words_;  ///< of the record in hand
};

}  // namespace kcost::probe
