#include "kernel/virtualisation.h"

#include <array>
#include <filesystem>

#include "base/text.h"

namespace kcost::kernel {

namespace {

/// What the signs of a virtual machine are read from; empty where there is none.
struct Signs {
    std::string vendor;    ///< DMI
    std::string product;   ///< DMI
    std::string xen;       ///< /sys/hypervisor/type
    std::string tree_cpu;  ///< device tree: compatible of the first CPU
    std::string tree_hypervisor;
    std::string clocks;
    std::string cpuinfo;
    std::string midr;
    bool dummy_virt = false;  ///< device tree: the board that QEMU and other VMMs make up
};

/// Device tree strings end in zero bytes, several stand behind each other.
std::string read_text(const Root& root, const std::string& path) {
    const auto text = read_file(root.at(path));
    if (!text) return "";
    std::string clean = *text;
    for (char& c : clean) {
        if (c == '\0') c = ' ';
    }
    return std::string(trim(clean));
}

std::string read_tree_cpu(const Root& root) {
    std::error_code error;
    const std::string cpus = "/proc/device-tree/cpus";
    std::filesystem::directory_iterator it(root.at(cpus), error);
    for (const auto end = std::filesystem::directory_iterator(); !error && it != end;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with("cpu@")) return read_text(root, cpus + "/" + name + "/compatible");
    }
    return "";
}

Signs read_signs(const Root& root) {
    Signs signs;
    signs.vendor = read_text(root, "/sys/class/dmi/id/sys_vendor");
    signs.product = read_text(root, "/sys/class/dmi/id/product_name");
    signs.xen = read_text(root, "/sys/hypervisor/type");
    signs.tree_cpu = read_tree_cpu(root);
    signs.tree_hypervisor = read_text(root, "/proc/device-tree/hypervisor/compatible");
    signs.clocks =
        read_text(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    signs.cpuinfo = read_text(root, "/proc/cpuinfo");
    signs.midr = read_text(root, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
    signs.dummy_virt = read_text(root, "/proc/device-tree/compatible").find("linux,dummy-virt") !=
                       std::string::npos;
    return signs;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string hypervisor_of(const Signs& signs) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kVendors = {{
        {"KVM Virtual Machine", "KVM"},
        {"QEMU", "QEMU"},
        {"Amazon EC2", "Amazon EC2"},
        {"Google Compute Engine", "Google Compute Engine"},
        {"VMware", "VMware"},
        {"innotek GmbH", "VirtualBox"},
        {"Apple Virtualization", "Apple Virtualization"},
        {"Alibaba Cloud ECS", "Alibaba Cloud"},
        {"OpenStack", "OpenStack"},
    }};
    if (!signs.xen.empty()) return signs.xen;
    const std::string dmi = signs.vendor + " " + signs.product;
    // Amazon's and Alibaba's bare metal carries the same vendor as their machines.
    const bool metal = has(signs.product, "metal") || has(signs.product, "Metal");
    for (const auto& [sign, name] : kVendors) {
        if (!metal && has(dmi, sign)) return std::string(name);
    }
    if (has(dmi, "Microsoft Corporation Virtual Machine")) return "Hyper-V";
    if (!signs.tree_hypervisor.empty()) return signs.tree_hypervisor;
    if (has(signs.clocks, "kvm-clock")) return "KVM";
    if (signs.dummy_virt) return "unnamed (device tree: linux,dummy-virt)";
    if (has(signs.cpuinfo, " hypervisor")) return "unnamed (CPU flag: hypervisor)";
    return "none seen";
}

bool is_arm64(const Signs& signs) { return !signs.midr.empty(); }

/// Bits 31 to 24 of MIDR_EL1; Arm reserves 0 for software, Apple's is 0x61.
unsigned implementer(const Signs& signs) {
    return static_cast<unsigned>(parse_number(signs.midr).value_or(0) >> 24 & 0xff);
}

/// QEMU: `-cpu max` has the MIDR 0x000f0510 when it emulates and the real one under KVM. Of the
/// models by name (cortex-a72) the MIDR is the real CPU's, but QEMU's device tree names the model,
/// while it says arm,armv8 (arm,arm-v8 before 10.1) for the host's CPU. Its SMBIOS product is "KVM
/// Virtual Machine" under KVM and "QEMU Virtual Machine" else, so also on Apple's hypervisor.
void judge_arm64(const Signs& signs, Virtualisation& result) {
    constexpr unsigned kApple = 0x61;
    const bool qemu = has(signs.vendor, "QEMU") || has(signs.product, "QEMU");
    if (implementer(signs) == 0) {
        result.emulated = "yes";
        result.reason = "MIDR_EL1 names no maker of CPUs: QEMU's -cpu max";
    } else if (signs.product == "KVM Virtual Machine") {
        result.emulated = "no";
        result.reason = "DMI: KVM Virtual Machine";
    } else if (qemu && implementer(signs) != kApple) {
        result.emulated = "yes";
        result.reason = "DMI: QEMU without KVM, and the CPU is not Apple's";
    } else if (signs.dummy_virt && signs.tree_cpu.empty()) {
        result.emulated = "unknown";
        result.reason = "a virtual machine whose device tree does not name the CPU";
    } else if (signs.dummy_virt && !signs.tree_cpu.starts_with("arm,arm")) {
        result.emulated = "likely";
        result.reason = "a virtual machine with the CPU model " + signs.tree_cpu +
                        ", which a hypervisor would not name";
    } else {
        result.emulated = "no";
        result.reason = "no sign of an emulated CPU";
    }
}

void judge_x86(const Signs& signs, Virtualisation& result) {
    if (has(signs.cpuinfo, "QEMU TCG CPU")) {
        result.emulated = "yes";
        result.reason = "the CPU calls itself QEMU TCG CPU";
    } else if (has(signs.clocks, "kvm-clock")) {
        result.emulated = "no";
        result.reason = "the clock source kvm-clock is there";
    } else if (has(signs.vendor, "QEMU") || has(signs.cpuinfo, "QEMU Virtual CPU")) {
        result.emulated = "likely";
        result.reason = "a machine of QEMU without KVM's clock";
    } else {
        result.emulated = "no";
        result.reason = "no sign of an emulated CPU";
    }
}

}  // namespace

Virtualisation read_virtualisation(const Root& root) {
    const Signs signs = read_signs(root);
    Virtualisation result;
    result.hypervisor = hypervisor_of(signs);
    if (is_arm64(signs)) {
        judge_arm64(signs, result);
    } else if (has(signs.cpuinfo, "vendor_id")) {
        judge_x86(signs, result);
    } else {
        result.emulated = "unknown";
        result.reason = "neither MIDR_EL1 nor an x86 CPU can be read";
    }
    return result;
}

}  // namespace kcost::kernel
