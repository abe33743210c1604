// Live text of functions of lab kernels, dumped from /proc/kcore: tests/data/text/KERNEL-CPU.words.
// "SYMBOL ADDRESS SIZE" starts a function; its words follow. "newest" is 7.3.4, "kpti" a cortex-a72
// with kernel page table isolation.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "kernel/live_text.h"

namespace kcost::kernel {

inline std::string text_fixture_path(const std::string& kernel_cpu) {
    return std::string(KCOST_TEST_DATA "/text/") + kernel_cpu + ".words";
}

/// True for the symbol itself and what the compiler makes of it: .constprop.0, .isra.0.
inline bool is_fixture_symbol(const std::string& name, const std::string& symbol) {
    return name == symbol || name.starts_with(symbol + ".");
}

/// The symbol's words; empty, and the test has failed, where the kernel has none of that name.
inline TextRange fixture_function(const std::string& kernel_cpu, const std::string& symbol) {
    std::ifstream file(text_fixture_path(kernel_cpu));
    TextRange range;
    std::string line, name;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::uint64_t size = 0;
        if (!(fields >> name >> std::hex >> range.begin >> std::dec >> size)) continue;
        if (!is_fixture_symbol(name, symbol)) continue;
        std::uint32_t word = 0;
        while (range.words.size() < size / 4 && file >> std::hex >> word) {
            range.words.push_back(word);
        }
        if (range.words.size() == size / 4) return range;
    }
    ADD_FAILURE() << kernel_cpu << " has no " << symbol;
    return {};
}

}  // namespace kcost::kernel
