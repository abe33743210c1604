// An arm64 kernel in a folder: functions and data with their symbols, as /proc/kallsyms and
// /proc/kcore show them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel_core_file.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {

class LiveRoot {
public:
    explicit LiveRoot(const std::string& architecture = "aarch64") {
        root_.put("/proc/sys/kernel/arch", architecture + "\n");
    }

    /// With a symbol behind it, where the function ends.
    LiveRoot& add_function(const std::string& name, const TextRange& text, char type = 'T') {
        add_symbol(text.begin, type, name);
        add_symbol(text.end(), 't', "behind_" + name);
        segments_.push_back(segment_of(text));
        return *this;
    }
    /// Bytes that no symbol names.
    LiveRoot& add_bytes(std::uint64_t address, const std::string& bytes) {
        segments_.push_back({address, bytes});
        return *this;
    }
    LiveRoot& add_mark(std::uint64_t address, char type, const std::string& name) {
        add_symbol(address, type, name);
        return *this;
    }
    LiveRoot& put(const std::string& path, const std::string& text) {
        root_.put(path, text);
        return *this;
    }

    /// Written each time anew.
    const Root& get() {
        std::stable_sort(symbols_.begin(), symbols_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::string lines;
        for (const auto& it : symbols_) lines += it.second;
        root_.put("/proc/kallsyms", lines).put(kKcore, core_file(segments_));
        return root_.get();
    }

private:
    void add_symbol(std::uint64_t address, char type, const std::string& name) {
        symbols_.emplace_back(address, fmt::format("{:016x} {} {}\n", address, type, name));
    }

    TempRoot root_;
    std::vector<std::pair<std::uint64_t, std::string>> symbols_;
    std::vector<CoreSegment> segments_;
};

}  // namespace kcost::kernel
