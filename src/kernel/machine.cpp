#include "kernel/machine.h"

#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "base/text.h"
#include "kernel/architecture.h"
#include "kernel/capability.h"
#include "kernel/config.h"
#include "kernel/cpus.h"
#include "kernel/facts.h"
#include "kernel/live_features.h"
#include "kernel/machine_cpu.h"
#include "kernel/virtualisation.h"

namespace kcost::kernel {

namespace {

/// Options that change what can be measured, or what it costs.
constexpr const char* kOptions =
    "KPROBES KPROBE_EVENTS KPROBE_EVENTS_ON_NOTRACE UPROBES FPROBE DYNAMIC_FTRACE_WITH_ARGS "
    "DYNAMIC_FTRACE_WITH_DIRECT_CALLS BPF_JIT BPF_JIT_ALWAYS_ON DEBUG_INFO_BTF KALLSYMS_ALL "
    "PROC_KCORE LIVEPATCH PREEMPT_NONE PREEMPT_VOLUNTARY PREEMPT_LAZY PREEMPT PREEMPT_DYNAMIC "
    "PREEMPT_RT HZ ARM64_PAGE_SHIFT ARM64_PSEUDO_NMI ARM64_BTI_KERNEL ARM64_ERRATUM_1542419 "
    "ARM64_ERRATUM_4118414 UNMAP_KERNEL_AT_EL0 RANDOMIZE_BASE TRANSPARENT_HUGEPAGE KASAN "
    "PROVE_LOCKING DEBUG_LIST INIT_ON_ALLOC_DEFAULT_ON";

std::string hex(std::uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
    return text;
}

/// An ELF note: three words (sizes of name and description, type), then both, padded to words.
std::string build_id(const Root& root) {
    constexpr std::uint32_t kBuildIdType = 3;  // NT_GNU_BUILD_ID
    const auto notes = read_file(root.at("/sys/kernel/notes"));
    if (!notes) return kUnknown;
    std::size_t at = 0;
    while (notes->size() - at >= 12) {
        std::array<std::uint32_t, 3> head;
        std::memcpy(head.data(), notes->data() + at, 12);
        const std::size_t name = at + 12;
        const std::size_t text = name + (std::size_t{head[0]} + 3) / 4 * 4;
        const std::size_t next = text + (std::size_t{head[1]} + 3) / 4 * 4;
        if (next > notes->size()) break;
        if (head[2] == kBuildIdType && notes->compare(name, 4, "GNU\0", 4) == 0) {
            std::string id;
            for (std::size_t i = 0; i < head[1]; i++) {
                id += hex(static_cast<unsigned char>((*notes)[text + i])).substr(14);
            }
            return id;
        }
        at = next;
    }
    return kUnknown;
}

/// Whether the command line asks for it; whether the interrupt controller agrees it does not say.
std::string pseudo_nmi(const std::string& command_line, const Result<KernelConfig>& config) {
    if (config && !config->enabled("ARM64_PSEUDO_NMI")) return "no (not built in)";
    std::string state = "no";
    for (const std::string_view word : split(command_line, ' ')) {
        constexpr std::string_view kParameter = "irqchip.gicv3_pseudo_nmi=";
        if (!word.starts_with(kParameter)) continue;
        const std::string_view value = word.substr(kParameter.size());
        const bool on = value == "on" || value == "1" || value.starts_with('y') ||
                        value.starts_with('Y') || value.starts_with('t') || value.starts_with('T');
        state = on ? "asked for" : "no";
    }
    return state;
}

/// The model: "none voluntary (full) lazy" of the scheduler's debug file where it can be chosen at
/// boot, else what the kernel was built with, else what its version says.
std::string preemption(const Root& root, const std::string& version,
                       const Result<KernelConfig>& config) {
    const std::string modes = read_fact(root, "/sys/kernel/debug/sched/preempt");
    const std::size_t open = modes.find('(');
    const std::size_t close = modes.find(')', open);
    if (!modes.starts_with(kUnknown) && open != std::string::npos && close != std::string::npos) {
        return modes.substr(open + 1, close - open - 1);
    }
    constexpr std::array<std::pair<const char*, const char*>, 4> kBuilt = {
        {{"PREEMPT_RT", "rt"},
         {"PREEMPT_LAZY", "lazy"},
         {"PREEMPT_VOLUNTARY", "voluntary"},
         {"PREEMPT_NONE", "none"}}};
    for (const auto& [option, model] : kBuilt) {
        if (config && config->enabled(option)) return model;
    }
    if (version.find("PREEMPT_RT") != std::string::npos) return "rt";
    if (version.find("PREEMPT_DYNAMIC") != std::string::npos) return "unknown (chosen at boot)";
    if (version.find("PREEMPT") == std::string::npos) return "none or voluntary";
    return config ? "full" : "full or lazy";
}

void add_config_facts(const Result<KernelConfig>& config, model::Machine& machine) {
    if (!config) {
        for (const char* key : {"digest", "options", "source"}) {
            machine.emplace_back(std::string("kernel.config.") + key, kUnknown);
        }
        return;
    }
    std::string options;
    for (const std::string_view option : split(kOptions, ' ')) {
        options += (options.empty() ? "" : " ") + std::string(option) + "=" + config->value(option);
    }
    machine.emplace_back("kernel.config.digest", "fnv1a64:" + hex(config->digest()));
    machine.emplace_back("kernel.config.options", options);
    machine.emplace_back("kernel.config.source", config->source());
}

void add_kernel_facts(const Root& root, model::Machine& machine) {
    const std::string release = read_fact(root, "/proc/sys/kernel/osrelease");
    const std::string version = read_fact(root, "/proc/sys/kernel/version");
    const std::string command_line = read_fact(root, "/proc/cmdline");
    const auto config = KernelConfig::read(root, release);
    machine.emplace_back("kernel.release", release);
    machine.emplace_back("kernel.version", version);
    machine.emplace_back("kernel.build_id", build_id(root));
    machine.emplace_back("kernel.command_line", command_line);
    machine.emplace_back("kernel.boot_id", read_fact(root, "/proc/sys/kernel/random/boot_id"));
    add_config_facts(config, machine);
    machine.emplace_back("kernel.preemption", preemption(root, version, config));
    machine.emplace_back("kernel.pseudo_nmi", pseudo_nmi(command_line, config));
    machine.emplace_back("kernel.perf_event_paranoid",
                         read_fact(root, "/proc/sys/kernel/perf_event_paranoid"));
    machine.emplace_back("kernel.kptr_restrict", read_fact(root, "/proc/sys/kernel/kptr_restrict"));
    machine.emplace_back("kernel.bpf_jit", read_fact(root, "/proc/sys/net/core/bpf_jit_enable"));
    machine.emplace_back("kernel.lockdown", lockdown_level(root));
    machine.emplace_back("kernel.tainted", read_fact(root, "/proc/sys/kernel/tainted"));
    machine.emplace_back("architecture", architecture(root));
}

void add_memory_facts(const Root& root, model::Machine& machine) {
    const auto memory = read_memory(root);
    machine.emplace_back("memory.total_bytes",
                         memory ? std::to_string(memory->total_bytes) : kUnknown);
    machine.emplace_back("memory.page_size",
                         root.live() ? std::to_string(::sysconf(_SC_PAGESIZE)) : kUnknown);
    machine.emplace_back("memory.thp",
                         bracketed(read_fact_or(root, "/sys/kernel/mm/transparent_hugepage/enabled",
                                                "none (not built in)")));
}

/// Hz of the counter that arm64's clocks read: CNTFRQ_EL0 (Arm ARM, "The Generic Timer").
std::uint64_t counter_frequency() {
    std::uint64_t hz = 0;
#ifdef __aarch64__
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
#endif
    return hz;
}

std::string clock_resolution_ns(std::uint64_t counter_hz) {
    double ns = 0;
    timespec resolution{};
    if (counter_hz != 0) {
        ns = 1e9 / static_cast<double>(counter_hz);
    } else if (::clock_getres(CLOCK_MONOTONIC, &resolution) == 0) {
        ns = static_cast<double>(resolution.tv_nsec);
    }
    if (ns <= 0) return kUnknown;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", ns);
    return text;
}

void add_clock_facts(const Root& root, model::Machine& machine) {
    const std::uint64_t hz = root.live() ? counter_frequency() : 0;
    machine.emplace_back(
        "clock.source",
        read_fact(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    machine.emplace_back("clock.counter_hz", hz != 0 ? std::to_string(hz) : kUnknown);
    machine.emplace_back("clock.resolution_ns", root.live() ? clock_resolution_ns(hz) : kUnknown);
}

/// Time that the hypervisor gave to others: the eighth number of /proc/stat's first line.
std::string steal(const Root& root) {
    const auto text = read_file(root.at("/proc/stat"));
    if (!text || !text->starts_with("cpu ") || text->find('\n') == text->npos) return kUnknown;
    const std::string_view line(text->data(), text->find('\n'));
    const auto fields = split(trim(line.substr(4)), ' ');
    if (fields.size() < 8) return kUnknown;
    double total = 0;
    for (std::size_t i = 0; i < 8; i++) {
        total += static_cast<double>(parse_number(fields[i]).value_or(0));
    }
    if (total <= 0) return kUnknown;
    const double stolen = static_cast<double>(parse_number(fields[7]).value_or(0));
    char percent[48];
    std::snprintf(percent, sizeof percent, "%.2f%% since boot", 100 * stolen / total);
    return percent;
}

void add_load_facts(const Root& root, model::Machine& machine) {
    const std::string load = read_fact(root, "/proc/loadavg");
    const auto fields = split(load, ' ');
    const bool whole = fields.size() >= 4;
    machine.emplace_back("load.average",
                         whole ? load.substr(0, load.find(fields[3]) - 1) : kUnknown);
    machine.emplace_back("load.threads", whole ? std::string(fields[3]) : kUnknown);
    machine.emplace_back("cpu.steal", steal(root));
}

}  // namespace

model::Machine read_machine(const Root& root) {
    model::Machine machine;
    const Virtualisation virtualisation = read_virtualisation(root);
    add_kernel_facts(root, machine);
    add_cpu_facts(root, machine);
    add_live_facts(root, machine);
    add_memory_facts(root, machine);
    add_clock_facts(root, machine);
    machine.emplace_back("hypervisor", virtualisation.hypervisor);
    machine.emplace_back("emulated", virtualisation.emulated);
    machine.emplace_back("emulated.reason", virtualisation.reason);
    add_load_facts(root, machine);
    return machine;
}

std::string fact(const model::Machine& machine, std::string_view key) {
    for (const auto& [name, value] : machine) {
        if (name == key) return value;
    }
    return kUnknown;
}

}  // namespace kcost::kernel
