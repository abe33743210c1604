// A kernel of tests/data/text as signatures see it: its functions at their addresses, nothing (udf)
// between them. A line with size 0 there is a symbol without its words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "kernel_temp_root.h"
#include "kernel_text_fixture.h"
#include "patch/subject.h"

namespace kcost::patch {

/// Symbols that stand for data there.
inline bool is_data(const std::string& name) { return name == "__per_cpu_offset"; }

/// Those that signatures look into; others would only make the text wide.
inline bool is_looked_into(const std::string& name) {
    for (const char* start : {"arch_uprobe_", "check_and_", "ptep_set_", "__ptep_set_", "uprobe_",
                              "handler_chain", "get_utask", "alloc_return_"}) {
        if (name.starts_with(start)) return true;
    }
    return false;
}

class FixtureKernel {
public:
    FixtureKernel() = default;
    explicit FixtureKernel(const std::string& kernel_cpu) {
        std::ifstream file(kernel::text_fixture_path(kernel_cpu));
        std::string line, name;
        while (std::getline(file, line)) {
            std::istringstream fields(line);
            std::uint64_t address = 0, size = 0;
            // A line of words has more than three, or a first one without an address behind it.
            if (!(fields >> name >> std::hex >> address >> std::dec >> size)) continue;
            if (address >> 48 != 0xffff) continue;
            kernel::TextRange& range = functions_[name];
            range.begin = address;
            for (std::uint32_t word; range.words.size() < size / 4 && file >> std::hex >> word;) {
                range.words.push_back(word);
            }
            if (!is_looked_into(name)) range.words.clear();
        }
        EXPECT_FALSE(functions_.empty()) << kernel_cpu;
    }

    std::uint32_t& word(const std::string& function, std::size_t offset) {
        return functions_.at(function).words.at(offset / 4);
    }
    std::uint64_t address(const std::string& name) const { return functions_.at(name).begin; }
    void rename(const std::string& name, const std::string& to) {
        auto node = functions_.extract(name);
        node.key() = to;
        functions_.insert(std::move(node));
    }
    void remove(const std::string& name) { functions_.erase(name); }
    void add(const std::string& name, kernel::TextRange range) {
        functions_[name] = std::move(range);
    }

    Subject subject() const {
        Subject subject;
        subject.kernel.symbols = symbols();
        kernel::TextRange& text = subject.kernel.text;
        std::uint64_t end = 0;
        text.begin = ~std::uint64_t{3};
        for (const auto& [name, range] : functions_) {
            if (range.words.empty()) continue;
            text.begin = std::min(text.begin, range.begin);
            end = std::max(end, range.end());
        }
        text.words.resize((end - text.begin) / 4);
        for (const auto& [name, range] : functions_) {
            std::copy(
                range.words.begin(), range.words.end(),
                text.words.begin() + (range.words.empty() ? 0 : (range.begin - text.begin) / 4));
            if (is_data(name)) subject.data[name] = range.begin;
        }
        subject.no_types = {"cannot read the kernel's type information: none in this test", ""};
        return subject;
    }

private:
    kernel::Symbols symbols() const {
        std::map<std::uint64_t, std::string> lines;
        for (const auto& [name, range] : functions_) {
            if (!range.words.empty()) lines[range.end()] = "t behind_" + name;
        }
        for (const auto& [name, range] : functions_) {
            lines[range.begin] = (is_data(name) ? "D " : "T ") + name;
        }
        std::string all;
        for (const auto& [address, line] : lines) all += fmt::format("{:016x} {}\n", address, line);
        kernel::TempRoot root;
        root.put("/proc/kallsyms", all);
        auto symbols = kernel::Symbols::read(root.get());
        EXPECT_TRUE(symbols) << symbols.error().what;
        return std::move(*symbols);
    }

    std::map<std::string, kernel::TextRange> functions_;
};

}  // namespace kcost::patch
