#include <gtest/gtest.h>

#include <set>

#include "kernel/facts.h"
#include "kernel/machine.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

TEST(Machine, FactsOfAGuest) {
    const model::Machine machine = read_machine(guest("arm64-7.3"));
    EXPECT_EQ(fact(machine, "kernel.release"), "7.3.4+deb13-cloud-arm64");
    EXPECT_EQ(fact(machine, "kernel.build_id"), "b114001d8228c02ea1c3170732da3a7b611ce811");
    EXPECT_EQ(fact(machine, "kernel.boot_id"), "18362b95-e556-49ee-a00f-551559421bc7");
    EXPECT_EQ(fact(machine, "kernel.preemption"), "full or lazy") << "the copy has no config";
    EXPECT_EQ(fact(machine, "kernel.pseudo_nmi"), "no");
    EXPECT_EQ(fact(machine, "architecture"), "aarch64");
    EXPECT_EQ(fact(machine, "cpu.midr"), "0x410fd083");
    EXPECT_EQ(fact(machine, "cpu.online"), "2");
    EXPECT_EQ(fact(machine, "numa.nodes"), "1");
    EXPECT_EQ(fact(machine, "memory.total_bytes"), "1010552832");
    EXPECT_EQ(fact(machine, "memory.thp"), "always");
    EXPECT_EQ(fact(machine, "clock.source"), "arch_sys_counter");
    EXPECT_EQ(fact(machine, "load.average"), "0.24 0.05 0.02");
    EXPECT_EQ(fact(machine, "load.threads"), "1/61");
    EXPECT_EQ(fact(machine, "cpu.steal"), "0.00% since boot");
    EXPECT_EQ(fact(machine, "emulated"), "likely");
    EXPECT_EQ(fact(machine, "cpu.mitigations").find("meltdown"), std::string::npos)
        << "not affected";
    for (const char* key : {"cpu.idc", "cpu.dic", "cpu.icache", "cpu.tlbi_repeat", "cpu.kpti"}) {
        EXPECT_EQ(fact(machine, key),
                  "unknown (cannot read live kernel text (/proc/kcore): it does not exist)")
            << key;
    }
}

TEST(Machine, NeverFailsAndAlwaysHasTheSameKeys) {
    TempRoot empty;
    const model::Machine nothing = read_machine(empty.get());
    const model::Machine whole = read_machine(guest("arm64-6.1"));
    ASSERT_EQ(nothing.size(), whole.size());
    std::set<std::string> keys;
    for (std::size_t i = 0; i < whole.size(); i++) {
        EXPECT_EQ(nothing[i].first, whole[i].first);
        EXPECT_FALSE(nothing[i].second.empty()) << nothing[i].first;
        EXPECT_TRUE(keys.insert(whole[i].first).second) << whole[i].first;
    }
    EXPECT_EQ(fact(nothing, "kernel.release"), "unknown");
    EXPECT_EQ(fact(nothing, "no such key"), "unknown");
}

TEST(Machine, DifferentCpusAndPoliciesAreAllTold) {
    TempRoot root;
    const std::string cpu = "/sys/devices/system/cpu/";
    root.put(cpu + "cpu0/regs/identification/midr_el1", "0x00000000410fd034\n")
        .put(cpu + "cpu1/regs/identification/midr_el1", "0x00000000410fd034\n")
        .put(cpu + "cpu10/regs/identification/midr_el1", "0x00000000410fd0b0\n")
        .put(cpu + "cpufreq/policy0/scaling_governor", "performance\n")
        .put(cpu + "cpufreq/policy0/scaling_min_freq", "200000\n")
        .put(cpu + "cpufreq/policy0/scaling_max_freq", "2600000\n")
        .put(cpu + "possible", "0-15\n")
        .put(cpu + "isolated", "\n");
    const model::Machine machine = read_machine(root.get());
    EXPECT_EQ(fact(machine, "cpu.midr"), "0x410fd034, 0x410fd0b0");
    EXPECT_EQ(fact(machine, "cpu.governor"), "performance");
    EXPECT_EQ(fact(machine, "cpu.frequency_limits_khz"), "200000-2600000");
    EXPECT_EQ(fact(machine, "cpu.possible"), "16");
    EXPECT_EQ(fact(machine, "cpu.isolated"), "none");
}

TEST(Machine, ConfigurationAndCommandLine) {
    TempRoot root;
    root.put("/proc/sys/kernel/osrelease", "6.12.1\n")
        .put("/proc/cmdline", "quiet irqchip.gicv3_pseudo_nmi=1\n")
        .put("/boot/config-6.12.1", "CONFIG_ARM64_PSEUDO_NMI=y\nCONFIG_HZ=250\n")
        .put("/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy\n")
        .put("/proc/stat", "cpu  10 0 10 60 0 0 0 20 0 0\ncpu0 1 1\n");
    model::Machine machine = read_machine(root.get());
    EXPECT_EQ(fact(machine, "kernel.pseudo_nmi"), "asked for");
    EXPECT_EQ(fact(machine, "kernel.preemption"), "full");
    EXPECT_EQ(fact(machine, "cpu.steal"), "20.00% since boot");
    EXPECT_NE(fact(machine, "kernel.config.options").find("HZ=250"), std::string::npos);
    EXPECT_EQ(fact(machine, "kernel.config.digest").substr(0, 8), "fnv1a64:");
    std::filesystem::remove(root.get().at("/sys/kernel/debug/sched/preempt"));
    root.put("/boot/config-6.12.1", "CONFIG_PREEMPT_VOLUNTARY=y\n");
    machine = read_machine(root.get());
    EXPECT_EQ(fact(machine, "kernel.pseudo_nmi"), "no (not built in)");
    EXPECT_EQ(fact(machine, "kernel.preemption"), "voluntary");
}

TEST(Machine, DamagedNotesAreUnknown) {
    for (const std::string& notes :
         {std::string("\x04\0\0\0\xff\xff\xff\xff\x03\0\0\0GNU\0", 16), std::string("short"),
          std::string(64, '\xff'), std::string(64, '\0')}) {
        TempRoot root;
        root.put("/sys/kernel/notes", notes);
        EXPECT_EQ(fact(read_machine(root.get()), "kernel.build_id"), "unknown");
    }
}

TEST(Facts, Brackets) {
    EXPECT_EQ(bracketed("always [madvise] never"), "madvise");
    EXPECT_EQ(bracketed("none"), "none");
    EXPECT_EQ(bracketed("] ["), "] [");
}

}  // namespace
}  // namespace kcost::kernel
