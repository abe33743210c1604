// The maps that all targets' programs share, and the heartbeat that lets those programs run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bpf/abi.h"
#include "probe/libbpf.h"

struct span_bpf;

namespace kcost::probe {

struct SkeletonDeleter {
    void operator()(span_bpf* skeleton) const;
};
using Skeleton = std::unique_ptr<span_bpf, SkeletonDeleter>;

struct SharedMapSizes {
    std::uint32_t sets = 0;   ///< of the table of open spans, a power of two
    std::uint32_t sites = 0;  ///< programs' targets
    std::uint32_t stacks = 0;
    std::uint32_t payers = 0;

    std::size_t bytes() const;
};

/// Sizes for this many threads and sites within a limit of memory.
SharedMapSizes choose_sizes(std::uint64_t threads, std::uint32_t sites, std::size_t limit_bytes);

class SharedMaps {
public:
    static Result<SharedMaps> create(const SharedMapSizes& sizes);

    /// Gives another object, opened but not loaded, these maps in place of its own.
    Result<void> lend_to(span_bpf& other) const;

    /// Runs kc_beat in this process: fills self_tgid and jiffies_now of the control record.
    Result<void> run_beat();

    kc_control& control() const { return *control_; }
    kc_set* sets() const { return sets_.as<kc_set>(); }
    std::uint64_t* discarded() const { return discarded_.as<std::uint64_t>(); }
    int stacks_fd() const;
    int payers_fd() const;
    const SharedMapSizes& sizes() const { return sizes_; }

private:
    Skeleton skeleton_;
    SharedMapSizes sizes_;
    kc_control* control_ = nullptr;
    MappedMap sets_;
    MappedMap discarded_;
};

}  // namespace kcost::probe
