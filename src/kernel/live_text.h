// Kernel memory as it is now, from /proc/kcore: text after alternatives, static keys and probes
// were patched into it. Read twice and compared, since the kernel may patch meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// Words from an address on. Little-endian, as A64 instructions always are.
struct TextRange {
    std::uint64_t begin = 0;
    std::vector<std::uint32_t> words;

    std::uint64_t end() const { return begin + 4 * words.size(); }
    bool contains(std::uint64_t address) const { return address >= begin && address < end(); }
    /// Of a contained address; others are udf (0).
    std::uint32_t word(std::uint64_t address) const;
};

/// What two readings in a row agree on; an error after four that do not.
Result<std::string> settled(const std::function<Result<std::string>()>& read_once);

class LiveMemory {
public:
    /// Reads the program headers of /proc/kcore. Errors say what is missing: the right
    /// (CAP_SYS_RAWIO), CONFIG_PROC_KCORE, or lockdown.
    static Result<LiveMemory> open(const Root& root);

    /// Bytes at an address, read until two readings agree, at most four times.
    Result<std::string> read(std::uint64_t address, std::size_t bytes) const;
    Result<TextRange> text(std::uint64_t begin, std::uint64_t end) const;
    Result<std::uint64_t> read_u64(std::uint64_t address) const;

private:
    struct Segment {
        std::uint64_t begin;
        std::uint64_t bytes;
        std::uint64_t offset;
    };
    Result<std::string> read_once(std::uint64_t address, std::size_t bytes) const;

    Fd file_;
    std::vector<Segment> segments_;
};

}  // namespace kcost::kernel
