#include <gtest/gtest.h>

#include "kernel/noise_watch.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kSecond_ns = 1'000'000'000;

// Ticks are 10 ms. Two CPUs, idle and iowait are what is not busy.
std::string stat(unsigned user, unsigned idle, unsigned steal) {
    return "cpu  " + std::to_string(user) + " 0 0 " + std::to_string(idle) + " 0 0 0 " +
           std::to_string(steal) + " 0 0\ncpu0 1 2 3\n";
}

class NoiseOf : public testing::Test {
protected:
    NoiseOf() {
        root_.put("/proc/stat", stat(1000, 1000, 0)).put("/sys/devices/system/cpu/online", "0-1\n");
    }
    TempRoot root_;
};

TEST_F(NoiseOf, AQuietMachineHasNone) {
    NoiseWatch watch(root_.get(), {0, 1});
    watch.second();
    root_.put("/proc/stat", stat(1400, 1400, 1));
    EXPECT_TRUE(watch.end(4 * kSecond_ns - 100'000'000).empty());
}

TEST_F(NoiseOf, OthersWorkIsWhatIsNotOurs) {
    NoiseWatch watch(root_.get(), {});
    root_.put("/proc/stat", stat(1400, 1400, 0));  // 4 s of 8 s busy
    const auto noise = watch.end(3 * kSecond_ns);
    ASSERT_EQ(noise.size(), 1u);
    EXPECT_EQ(noise[0].kind, "other load");
    EXPECT_NEAR(noise[0].amount, 0.125, 1e-9);
    EXPECT_EQ(noise[0].says, "others used 12.5% of the CPUs' time");
    // Accounting by ticks may find less than we know of.
    EXPECT_TRUE(watch.end(100 * kSecond_ns).empty());
}

TEST_F(NoiseOf, StolenTime) {
    NoiseWatch watch(root_.get(), {});
    root_.put("/proc/stat", stat(1000, 1380, 20));
    const auto noise = watch.end(0);
    ASSERT_EQ(noise.size(), 1u);
    EXPECT_EQ(noise[0].kind, "steal");
    EXPECT_NEAR(noise[0].amount, 0.05, 1e-9);
}

TEST_F(NoiseOf, FrequencyThatChanges) {
    const std::string file = "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq";
    NoiseWatch watch(root_.get(), {0, 1});
    root_.put(file, "2400000\n");
    watch.second();
    root_.put(file, "2390000\n");
    watch.second();
    EXPECT_TRUE(watch.end(0).empty());
    root_.put(file, "1800000\n");
    watch.second();
    const auto noise = watch.end(0);
    ASSERT_EQ(noise.size(), 1u);
    EXPECT_EQ(noise[0].kind, "frequency");
    EXPECT_NEAR(noise[0].amount, 0.25, 1e-9);
    EXPECT_EQ(noise[0].says, "CPU 1 ran at 1800 to 2400 MHz");
}

TEST_F(NoiseOf, HeatAndHotplug) {
    const std::string file = "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count";
    root_.put(file, "3\n");
    NoiseWatch watch(root_.get(), {0});
    root_.put(file, "5\n").put("/sys/devices/system/cpu/online", "0\n");
    const auto noise = watch.end(0);
    ASSERT_EQ(noise.size(), 2u);
    EXPECT_EQ(noise[0].says, "CPUs were throttled 2 times for heat");
    EXPECT_EQ(noise[1].says, "CPUs online were 0-1 and are 0");
}

TEST_F(NoiseOf, NothingToRead) {
    TempRoot empty;
    NoiseWatch watch(empty.get(), {0});
    watch.second();
    EXPECT_TRUE(watch.end(0).empty());
}

}  // namespace
}  // namespace kcost::kernel
