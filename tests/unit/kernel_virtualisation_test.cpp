#include <gtest/gtest.h>

#include "kernel/virtualisation.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr const char* kMidr = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
constexpr const char* kVendor = "/sys/class/dmi/id/sys_vendor";
constexpr const char* kProduct = "/sys/class/dmi/id/product_name";
constexpr const char* kTree = "/proc/device-tree/compatible";
constexpr const char* kTreeCpu = "/proc/device-tree/cpus/cpu@0/compatible";
constexpr const char* kClocks =
    "/sys/devices/system/clocksource/clocksource0/available_clocksource";

std::string zero_ended(const std::string& text) { return text + '\0'; }

TEST(Virtualisation, QemuMaxIsEmulated) {
    const Virtualisation seen = read_virtualisation(guest("arm64-6.1"));
    EXPECT_EQ(seen.emulated, "yes");
    EXPECT_NE(seen.reason.find("-cpu max"), std::string::npos);
    EXPECT_NE(seen.hypervisor, "none seen");
}

TEST(Virtualisation, QemuModelByNameIsLikelyEmulated) {
    const Virtualisation seen = read_virtualisation(guest("arm64-7.3"));
    EXPECT_EQ(seen.emulated, "likely");
    EXPECT_NE(seen.reason.find("arm,cortex-a72"), std::string::npos);
}

TEST(Virtualisation, TheHostsCpuUnderKvmIsNot) {
    TempRoot root;
    root.put(kMidr, "0x00000000413fd0c1\n").put(kTree, zero_ended("linux,dummy-virt"));
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "unknown");
    for (const char* cpu : {"arm,armv8", "arm,arm-v8"}) {
        root.put(kTreeCpu, zero_ended(cpu));
        EXPECT_EQ(read_virtualisation(root.get()).emulated, "no") << cpu;
    }
}

TEST(Virtualisation, FirmwareTellsKvmFromEmulation) {
    TempRoot root;
    root.put(kMidr, "0x00000000413fd0c1\n").put(kVendor, "QEMU\n");
    root.put(kProduct, "KVM Virtual Machine\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "no");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "KVM");
    root.put(kProduct, "QEMU Virtual Machine\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "yes");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "QEMU");
    root.put(kMidr, "0x00000000610f0000\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "no") << "Apple's hypervisor";
}

TEST(Virtualisation, ServersAndCloudMachines) {
    TempRoot root;
    root.put(kMidr, "0x00000000481fd010\n");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "none seen");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "no");
    root.put(kVendor, "Amazon EC2\n").put(kProduct, "m6g.large\n");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "Amazon EC2");
    root.put(kProduct, "m6g.metal\n");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "none seen");
}

TEST(Virtualisation, X86) {
    TempRoot root;
    root.put("/proc/cpuinfo",
             "vendor_id\t: GenuineIntel\nmodel name\t: QEMU TCG CPU version 2.5+\n"
             "flags\t\t: fpu hypervisor lahf_lm\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "yes");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "unnamed (CPU flag: hypervisor)");
    root.put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\n");
    root.put(kClocks, "tsc kvm-clock acpi_pm\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "no");
    EXPECT_EQ(read_virtualisation(root.get()).hypervisor, "KVM");
    root.put(kClocks, "tsc acpi_pm\n").put(kVendor, "QEMU\n");
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "likely");
}

TEST(Virtualisation, NothingReadableIsUnknown) {
    TempRoot root;
    EXPECT_EQ(read_virtualisation(root.get()).emulated, "unknown");
    EXPECT_FALSE(read_virtualisation(root.get()).reason.empty());
}

}  // namespace
}  // namespace kcost::kernel
