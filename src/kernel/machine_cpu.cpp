#include "kernel/machine_cpu.h"

#include <cctype>

#include "base/text.h"
#include "kernel/cpus.h"
#include "kernel/facts.h"

namespace kcost::kernel {

namespace {

constexpr const char* kCpuFolder = "/sys/devices/system/cpu";

std::vector<std::string> cpu_folders(const Root& root) {
    std::vector<std::string> folders;
    for (const std::string& name : list_folder(root, kCpuFolder)) {
        const bool cpu = name.starts_with("cpu") && name.size() > 3 &&
                         std::isdigit(static_cast<unsigned char>(name[3])) != 0;
        if (cpu) folders.push_back(std::string(kCpuFolder) + "/" + name);
    }
    return folders;
}

/// "0x00000000410fd083" → "0x410fd083": the upper half is reserved.
std::string short_hex(const std::string& text) {
    if (!text.starts_with("0x") || text.size() != 18) return text;
    return text.compare(2, 8, "00000000") == 0 ? "0x" + text.substr(10) : text;
}

/// Different values of an identification register over the CPUs; big.LITTLE has several.
std::string registers(const Root& root, const std::vector<std::string>& cpus, const char* name) {
    std::vector<std::string> values;
    for (const std::string& cpu : cpus) {
        const std::string text = read_fact(root, cpu + "/regs/identification/" + name);
        // The folder is gone while a CPU is offline.
        if (!text.starts_with(kUnknown)) values.push_back(short_hex(text));
    }
    return join_distinct(values);
}

/// "model name" of the first processor; arm64 has none.
std::string cpu_model(const Root& root) {
    const auto text = read_file(root.at("/proc/cpuinfo"));
    if (!text) return kUnknown;
    for (const std::string_view line : split(*text, '\n')) {
        const std::size_t colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string_view::npos) {
            return std::string(trim(line.substr(colon + 1)));
        }
    }
    return "told by cpu.midr";
}

std::string count(const std::string& list) {
    const auto cpus = parse_cpu_list(list);
    return cpus && !cpus->empty() ? std::to_string(cpus->size()) : kUnknown;
}

struct Frequency {
    std::string governor;
    std::string limits_khz;
};

Frequency read_frequency(const Root& root) {
    const std::string folder = std::string(kCpuFolder) + "/cpufreq";
    std::vector<std::string> governors;
    std::vector<std::string> limits;
    for (const std::string& name : list_folder(root, folder)) {
        if (!name.starts_with("policy")) continue;
        const std::string policy = folder + "/" + name;
        governors.push_back(read_fact(root, policy + "/scaling_governor"));
        limits.push_back(read_fact(root, policy + "/scaling_min_freq") + "-" +
                         read_fact(root, policy + "/scaling_max_freq"));
    }
    if (governors.empty()) return {"none (no cpufreq)", "none (no cpufreq)"};
    return {join_distinct(governors), join_distinct(limits)};
}

std::string mitigations(const Root& root) {
    const std::string folder = std::string(kCpuFolder) + "/vulnerabilities";
    std::string text;
    for (const std::string& name : list_folder(root, folder)) {
        const std::string state = read_fact(root, folder + "/" + name);
        if (state == "Not affected") continue;
        text += (text.empty() ? "" : "; ") + name + ": " + state;
    }
    if (!text.empty()) return text;
    return list_folder(root, folder).empty() ? kUnknown : "not affected by any";
}

/// An empty file is no CPU.
std::string isolated(const Root& root) {
    const std::string list = read_fact(root, std::string(kCpuFolder) + "/isolated");
    return list == "unknown (empty)" ? "none" : list;
}

}  // namespace

void add_cpu_facts(const Root& root, model::Machine& machine) {
    const std::string folder = kCpuFolder;
    const std::vector<std::string> cpus = cpu_folders(root);
    const std::string online = read_fact(root, folder + "/online");
    const std::string possible = read_fact(root, folder + "/possible");
    const std::string nodes = read_fact_or(root, "/sys/devices/system/node/online", "0");
    const Frequency frequency = read_frequency(root);
    machine.emplace_back("cpu.midr", registers(root, cpus, "midr_el1"));
    machine.emplace_back("cpu.revidr", registers(root, cpus, "revidr_el1"));
    machine.emplace_back("cpu.model", cpu_model(root));
    machine.emplace_back("cpu.online", count(online));
    machine.emplace_back("cpu.online_list", online);
    machine.emplace_back("cpu.possible", count(possible));
    machine.emplace_back("cpu.isolated", isolated(root));
    machine.emplace_back("numa.nodes", count(nodes));
    machine.emplace_back("cpu.governor", frequency.governor);
    machine.emplace_back("cpu.frequency_limits_khz", frequency.limits_khz);
    machine.emplace_back("cpu.smt", read_fact_or(root, folder + "/smt/control", "unknown"));
    machine.emplace_back("cpu.mitigations", mitigations(root));
}

}  // namespace kcost::kernel
