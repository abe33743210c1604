// Where a process has its programs and libraries mapped: /proc/PID/maps at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

class UserMaps {
public:
    static Result<UserMaps> read(const Root& root, std::uint32_t pid);
    explicit UserMaps(std::string_view text);

    /// "object+0x1234", the offset counted in the file, or "[unknown]+0xaddress".
    std::string describe(std::uint64_t address) const;
    /// Where in its file the code at an address is, as uprobes count.
    std::optional<std::uint64_t> file_offset(std::uint64_t address) const;

private:
    struct Mapping {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint64_t file_offset;
        std::string object;  ///< file name without folders, or [vdso], [heap]
    };
    const Mapping* mapping_of(std::uint64_t address) const;

    std::vector<Mapping> mappings_;
};

}  // namespace kcost::kernel
