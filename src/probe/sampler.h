// Samples of what the CPUs run, by cycles: the targets' share of them, callees included. It tells
// shares only; stacks are looked at and dropped.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "model/hot_path.h"
#include "model/measurement.h"

namespace kcost::probe {

class Sampler {
public:
    /// On all CPUs that are online; sampling has not begun. Functions of programs, and those that
    /// no probe may touch, are left out of what it tells. Error (kCannotHere): no rights, no
    /// addresses, no events.
    static Result<Sampler> open(const std::vector<model::HotPath>& targets);
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    ~Sampler();

    void start();
    /// To be called about every second: what is not read in time is lost, and counted.
    void drain();
    model::Sampled stop();

private:
    struct State;
    explicit Sampler(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace kcost::probe
