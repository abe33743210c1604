#include "kernel/cpus.h"

#include <cstdlib>

#include "base/text.h"

namespace kcost::kernel {

namespace {

constexpr unsigned kMostCpus = 1 << 16;

/// "MemTotal:       24105464 kB" in bytes; 0 where there is no such line.
std::uint64_t meminfo_bytes(std::string_view text, std::string_view key) {
    for (const std::string_view line : split(text, '\n')) {
        if (!line.starts_with(key)) continue;
        std::string_view value = trim(line.substr(key.size()));
        value = trim(value.substr(0, value.find(' ')));
        return parse_number(value).value_or(0) * 1024;
    }
    return 0;
}

Result<std::vector<unsigned>> read_cpu_list(const Root& root, const char* path) {
    const auto text = read_file(root.at(path));
    if (!text) return tl::unexpected(text.error());
    auto cpus = parse_cpu_list(*text);
    if (!cpus || cpus->empty()) {
        return fail(std::string("cannot read ") + path + ": it holds no list of CPUs");
    }
    return std::move(*cpus);
}

}  // namespace

std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
    std::vector<unsigned> cpus;
    text = trim(text);
    if (text.empty()) return cpus;
    for (const std::string_view part : split(text, ',')) {
        const std::size_t dash = part.find('-');
        const auto first = parse_number(part.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= kMostCpus) return std::nullopt;
        for (auto cpu = *first; cpu <= *last; cpu++) cpus.push_back(static_cast<unsigned>(cpu));
    }
    return cpus;
}

Result<std::vector<unsigned>> online_cpus(const Root& root) {
    return read_cpu_list(root, "/sys/devices/system/cpu/online");
}

Result<unsigned> possible_cpus(const Root& root) {
    const auto cpus = read_cpu_list(root, "/sys/devices/system/cpu/possible");
    if (!cpus) return tl::unexpected(cpus.error());
    return cpus->back() + 1;
}

/// "0.01 0.05 0.05 1/85 7540": one of 85 threads runs.
Result<std::uint64_t> thread_count(const Root& root) {
    const auto text = read_file(root.at("/proc/loadavg"));
    if (!text) return tl::unexpected(text.error());
    const auto fields = split(trim(*text), ' ');
    if (fields.size() >= 4) {
        const auto threads = parse_number(fields[3].substr(fields[3].find('/') + 1));
        if (threads) return *threads;
    }
    return fail("cannot read /proc/loadavg: it does not tell the threads");
}

Result<double> load_average(const Root& root) {
    const auto text = read_file(root.at("/proc/loadavg"));
    if (!text) return tl::unexpected(text.error());
    char* end = nullptr;
    const double load = std::strtod(text->c_str(), &end);
    if (end != text->c_str() && load >= 0) return load;
    return fail("cannot read /proc/loadavg: it does not tell the load");
}

Result<Memory> read_memory(const Root& root) {
    const auto text = read_file(root.at("/proc/meminfo"));
    if (!text) return tl::unexpected(text.error());
    Memory memory;
    memory.total_bytes = meminfo_bytes(*text, "MemTotal:");
    memory.available_bytes = meminfo_bytes(*text, "MemAvailable:");
    if (memory.total_bytes == 0) return fail("cannot read /proc/meminfo: it has no MemTotal");
    return memory;
}

}  // namespace kcost::kernel
