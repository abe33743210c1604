// User probes on functions of kcost's own file, with a program that counts hits and does nothing
// else: what its workloads run against. Not for measuring: that is session.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "model/probed_function.h"

namespace kcost::probe {

/// The first instruction of a function as it is in kcost's file, where the kernel takes it from;
/// one byte where instructions have any length.
Result<std::uint32_t> first_instruction(const model::ProbedFunction& function);

class OwnProbes {
public:
    /// For all processes that run kcost's file. An error (kCannotHere) without the rights for it.
    static Result<OwnProbes> attach(std::span<const model::ProbedFunction> functions);
    OwnProbes(OwnProbes&&) noexcept;
    OwnProbes& operator=(OwnProbes&&) noexcept;
    ~OwnProbes();

    std::uint64_t hits() const;

private:
    struct State;
    explicit OwnProbes(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace kcost::probe
