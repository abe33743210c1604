#include <gtest/gtest.h>

#include "kernel/cgroup_memory.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

std::uint64_t available(const TempRoot& root) {
    const auto bytes = available_memory_bytes(root.get());
    return bytes ? *bytes : 0;
}

TempRoot& with_memory(TempRoot& root, unsigned available_mib) {
    return root.put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: " +
                                         std::to_string(available_mib * 1024) + " kB\n");
}

TEST(CgroupMemory, WithoutGroupsItIsTheMachines) {
    TempRoot root;
    EXPECT_FALSE(available_memory_bytes(root.get()));
    EXPECT_EQ(available(with_memory(root, 4096)), 4096 * kMiB);
    root.put("/proc/self/cgroup", "0::/\n");
    EXPECT_EQ(available(root), 4096 * kMiB);
}

TEST(CgroupMemory, OfVersionTwoItIsTheLimitLessWhatIsUsed) {
    TempRoot root;
    with_memory(root, 4096).put("/proc/self/cgroup", "0::/a/b\n");
    root.put("/sys/fs/cgroup/a/b/memory.max", "536870912\n")
        .put("/sys/fs/cgroup/a/b/memory.current", "209715200\n");
    EXPECT_EQ(available(root), 312 * kMiB);
    // The cache of files is given back first.
    root.put("/sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file 104857600\n");
    EXPECT_EQ(available(root), 412 * kMiB);
    root.put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    EXPECT_EQ(available(root), 4096 * kMiB);
    root.put("/sys/fs/cgroup/a/b/memory.high", "314572800\n");
    EXPECT_EQ(available(root), 200 * kMiB);
}

TEST(CgroupMemory, TheGroupAroundMayHaveLess) {
    TempRoot root;
    with_memory(root, 4096).put("/proc/self/cgroup", "0::/a/b\n");
    root.put("/sys/fs/cgroup/a/b/memory.max", "max\n")
        .put("/sys/fs/cgroup/a/b/memory.current", "1048576\n")
        .put("/sys/fs/cgroup/a/memory.max", "104857600\n")
        .put("/sys/fs/cgroup/a/memory.current", "94371840\n");
    EXPECT_EQ(available(root), 10 * kMiB);
}

TEST(CgroupMemory, AContainersOwnMountIsSeenWhateverThePathSays) {
    TempRoot root;
    with_memory(root, 4096).put("/proc/self/cgroup", "0::/../../of/the/host\n");
    root.put("/sys/fs/cgroup/memory.max", "67108864\n")
        .put("/sys/fs/cgroup/memory.current", "67108864\n");
    EXPECT_EQ(available(root), 0u);
}

TEST(CgroupMemory, OfVersionOne) {
    TempRoot root;
    with_memory(root, 4096)
        .put("/proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/job\n0::/\n")
        .put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
        .put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n")
        .put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "536870912\n")
        .put("/sys/fs/cgroup/memory/job/memory.stat",
             "inactive_file 1\ntotal_inactive_file 268435456\n");
    EXPECT_EQ(available(root), 768 * kMiB);
}

}  // namespace
}  // namespace kcost::kernel
