#include <gtest/gtest.h>
#include <zlib.h>

#include "kernel/config.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr const char* kText =
    "#\n# Linux/arm64 6.12.118 Kernel Configuration\n#\nCONFIG_KPROBES=y\n"
    "# CONFIG_FPROBE is not set\nCONFIG_ARM_SPE_PMU=m\nCONFIG_HZ=250\n"
    "CONFIG_CC_VERSION_TEXT=\"gcc 14\"\n";

TEST(KernelConfig, TellsValues) {
    const KernelConfig config(kText);
    EXPECT_EQ(config.value("KPROBES"), "y");
    EXPECT_EQ(config.value("FPROBE"), "n");
    EXPECT_EQ(config.value("KPROBE"), "n") << "the whole name";
    EXPECT_EQ(config.value("HZ"), "250");
    EXPECT_EQ(config.value("CC_VERSION_TEXT"), "\"gcc 14\"");
    EXPECT_TRUE(config.enabled("ARM_SPE_PMU"));
    EXPECT_FALSE(config.enabled("HZ"));
}

TEST(KernelConfig, DigestIsOfTheOptionsOnly) {
    const KernelConfig config(kText);
    const KernelConfig same(
        "# another head\nCONFIG_KPROBES=y\nCONFIG_ARM_SPE_PMU=m\n"
        "CONFIG_HZ=250\nCONFIG_CC_VERSION_TEXT=\"gcc 14\"\n");
    EXPECT_EQ(config.digest(), same.digest());
    EXPECT_NE(config.digest(), KernelConfig("CONFIG_KPROBES=y\n").digest());
    EXPECT_EQ(KernelConfig("").digest(), 0xcbf29ce484222325u) << "FNV-1a's start";
    EXPECT_EQ(KernelConfig("CONFIG_A=y\n").digest(), KernelConfig("CONFIG_A=y").digest());
    EXPECT_EQ(KernelConfig("CONFIG_A=y\nCONFIG_LOCALVERSION=\"-mine\"\n").digest(),
              KernelConfig("CONFIG_A=y\nCONFIG_LOCALVERSION=\"\"\n").digest());
}

TEST(KernelConfig, PrefersTheRunningKernelsOwn) {
    TempRoot root;
    root.put("/boot/config-6.12.1", kText);
    auto config = KernelConfig::read(root.get(), "6.12.1");
    ASSERT_TRUE(config);
    EXPECT_EQ(config->source(), "/boot/config-6.12.1");
    root.put("/proc/config.gz", "");
    const gzFile file = ::gzopen(root.get().at("/proc/config.gz").c_str(), "wb");
    ASSERT_NE(file, nullptr);
    ::gzputs(file, "CONFIG_FPROBE=y\n");
    ::gzclose(file);
    config = KernelConfig::read(root.get(), "6.12.1");
    ASSERT_TRUE(config);
    EXPECT_EQ(config->source(), "/proc/config.gz");
    EXPECT_TRUE(config->enabled("FPROBE"));
}

TEST(KernelConfig, DamagedOrMissingIsAnError) {
    TempRoot root;
    EXPECT_FALSE(KernelConfig::read(root.get(), "6.12.1"));
    root.put("/proc/config.gz", "\x1f\x8b\x08 damaged");
    EXPECT_FALSE(KernelConfig::read(root.get(), "6.12.1"));
}

}  // namespace
}  // namespace kcost::kernel
