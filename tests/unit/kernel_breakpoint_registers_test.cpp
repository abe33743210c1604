#include <gtest/gtest.h>
#include <unistd.h>

#include "kernel/breakpoint_registers.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kKgdboc = "/sys/module/kgdboc/parameters/kgdboc";

TEST(KernelDebugger, IsArmedWhereItHasAnInputOrOutput) {
    TempRoot root;
    EXPECT_EQ(armed_kernel_debugger(root.get()), "");
    root.put(kKgdboc, "ttyAMA0\n");
    EXPECT_EQ(armed_kernel_debugger(root.get()), "kgdboc=ttyAMA0");
    root.put(kKgdboc, "ttyAMA0,115200");
    EXPECT_EQ(armed_kernel_debugger(root.get()), "kgdboc=ttyAMA0,115200");
    for (const char* disarmed : {"", "\n", "(null)\n"}) {
        root.put(kKgdboc, disarmed);
        EXPECT_EQ(armed_kernel_debugger(root.get()), "") << disarmed;
    }
    root.put("/sys/module/kgdbts/parameters/kgdbts", "V1F1000\n");
    EXPECT_EQ(armed_kernel_debugger(root.get()), "kgdbts=V1F1000");
}

/// A /proc with processes.
class Processes {
public:
    Processes& add(const std::string& number, const std::string& name,
                   const std::string& tracer = "0") {
        root_.put("/proc/" + number + "/comm", name + "\n")
            .put("/proc/" + number + "/status",
                 "Name:\t" + name + "\nPid:\t" + number + "\nTracerPid:\t" + tracer + "\n");
        return *this;
    }
    Processes& open(const std::string& number, const std::string& fd, const std::string& file) {
        const std::string folder = root_.get().at("/proc/" + number + "/fd");
        std::filesystem::create_directories(folder);
        std::filesystem::create_symlink(file, folder + "/" + fd);
        return *this;
    }
    TempRoot& root() { return root_; }
    Names holders() const { return breakpoint_holders(root_.get()); }

private:
    TempRoot root_;
};

constexpr const char* kPerfEvent = "anon_inode:[perf_event]";

TEST(BreakpointHolders, HavePerfEventsOpen) {
    Processes processes;
    EXPECT_EQ(processes.holders(), Names{});
    processes.add("1", "init").open("1", "0", "/dev/null").open("1", "3", "anon_inode:[eventfd]");
    EXPECT_EQ(processes.holders(), Names{});
    processes.add("812", "perf").open("812", "0", "/dev/pts/0").open("812", "15", kPerfEvent);
    processes.open("812", "16", kPerfEvent);
    EXPECT_EQ(processes.holders(), Names{"perf (812)"});
}

TEST(BreakpointHolders, OrTraceOthers) {
    Processes processes;
    processes.add("7", "gdb").add("20", "victim", "7").add("21", "second victim", "7");
    EXPECT_EQ(processes.holders(), Names{"gdb (7)"}) << "once";
    processes.open("7", "5", kPerfEvent);
    EXPECT_EQ(processes.holders(), Names{"gdb (7)"});
    // The tracer has gone, or is in another namespace.
    processes.add("30", "orphan", "999");
    EXPECT_EQ(processes.holders(), (Names{"gdb (7)", "unknown (999)"}));
}

TEST(BreakpointHolders, NotThisProcessNorWhatItTraces) {
    const std::string own = std::to_string(::getpid());
    Processes processes;
    processes.add(own, "kcost").open(own, "4", kPerfEvent).add("20", "child", own);
    EXPECT_EQ(processes.holders(), Names{});
}

TEST(BreakpointHolders, OnlyProcessesAndAtMostEight) {
    Processes processes;
    processes.root().put("/proc/kallsyms", "").put("/proc/12x/status", "TracerPid:\t5\n");
    processes.open("self", "3", kPerfEvent).open("40", "3", "/short");
    processes.root().put("/proc/41/status", "no tracer is told");
    EXPECT_EQ(processes.holders(), Names{});
    for (int i = 100; i < 112; ++i) {
        processes.add(std::to_string(i), "perf").open(std::to_string(i), "3", kPerfEvent);
    }
    ASSERT_EQ(processes.holders().size(), 8u);
    EXPECT_EQ(processes.holders().front(), "perf (100)");
    EXPECT_EQ(processes.holders().back(), "perf (107)");
}

}  // namespace
}  // namespace kcost::kernel
