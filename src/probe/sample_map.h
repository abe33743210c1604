// Which targets a sample belongs to, by the addresses of its stack. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kcost::probe {

struct AddressRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< the first one that is not in it

    bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

/// A piece of a target.
struct SampledPlace {
    std::size_t target = 0;
    AddressRange range;
    bool amid = false;                   ///< an operation amid a function, without what it calls
    std::optional<AddressRange> within;  ///< a function that must be among the callers
};

class SampleMap {
public:
    explicit SampleMap(std::vector<SampledPlace> places) : places_(std::move(places)) {}

    /// Adds one to each target that the stack is in, callees included. `stack`: the leaf first,
    /// then return addresses.
    void count(std::span<const std::uint64_t> stack, std::vector<std::uint64_t>& by_target) const;

private:
    std::vector<SampledPlace> places_;
};

}  // namespace kcost::probe
