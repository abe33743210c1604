// The options that this kernel was built with, from /proc/config.gz or /boot/config-RELEASE.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

class KernelConfig {
public:
    static Result<KernelConfig> read(const Root& root, std::string_view release);
    explicit KernelConfig(std::string text, std::string source = "");

    /// Value of an option without CONFIG_ ("y", "m", "4"; strings with their quotes); "n" where the
    /// file does not set it.
    std::string value(std::string_view option) const;
    bool enabled(std::string_view option) const;  ///< y or m
    /// Of all lines that set an option but the local version: equal options, equal digest.
    std::uint64_t digest() const;
    const std::string& source() const { return source_; }  ///< the file's path

private:
    std::string text_;
    std::string source_;
};

}  // namespace kcost::kernel
