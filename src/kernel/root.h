// Where /proc and /sys are: the live system, or copies of them that tests feed.
#pragma once

#include <string>
#include <string_view>

namespace kcost::kernel {

struct Root {
    std::string prefix;  ///< "" is the live system

    std::string at(std::string_view path) const { return prefix + std::string(path); }
    /// Facts that only instructions and system calls give are told for the live system alone.
    bool live() const { return prefix.empty(); }
};

}  // namespace kcost::kernel
