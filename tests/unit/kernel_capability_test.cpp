#include <gtest/gtest.h>

#include "kernel/capability.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

constexpr const char* kStatus = "/proc/self/status";
constexpr const char* kAll = "Name:\tkcost\nCapEff:\t000001ffffffffff\n";
constexpr const char* kLockdown = "/sys/kernel/security/lockdown";

const Check& find(const std::vector<Check>& checks, std::string_view start) {
    for (const Check& check : checks) {
        if (check.name.starts_with(start)) return check;
    }
    ADD_FAILURE() << "no check " << start;
    return checks.front();
}

TEST(Capability, ReadsTheEffectiveSet) {
    TempRoot root;
    EXPECT_FALSE(has_capability(root.get(), Capability::kBpf));
    root.put(kStatus, "CapEff:\t0000008000000000\n");
    EXPECT_TRUE(has_capability(root.get(), Capability::kBpf));
    EXPECT_FALSE(has_capability(root.get(), Capability::kPerfmon));
}

TEST(TracingRights, NotRootIsToldWithTheRemedy) {
    TempRoot root;
    root.put(kStatus, "CapEff:\t0000000000000000\n");
    const auto rights = require_tracing_rights(root.get());
    ASSERT_FALSE(rights);
    EXPECT_EQ(rights.error().what,
              "cannot load BPF programs: not root (CAP_BPF and CAP_PERFMON are missing)");
    EXPECT_EQ(rights.error().hint, "run with sudo");
    EXPECT_EQ(rights.error().code, ExitCode::kCannotHere);
}

TEST(TracingRights, NamesTheOneThatIsMissing) {
    TempRoot root;
    root.put(kStatus, "CapEff:\t0000008000000000\n");
    const auto rights = require_tracing_rights(root.get());
    ASSERT_FALSE(rights);
    EXPECT_NE(rights.error().what.find("(CAP_PERFMON is missing)"), std::string::npos);
}

TEST(TracingRights, BothCapabilitiesOrAdminDo) {
    TempRoot root;
    root.put("/sys/kernel/btf/vmlinux", "x").put(kStatus, "CapEff:\t000000c000000000\n");
    EXPECT_TRUE(require_tracing_rights(root.get()));
    root.put(kStatus, "CapEff:\t0000000000200000\n");
    EXPECT_TRUE(require_tracing_rights(root.get()));
}

TEST(TracingRights, BtfLockdownAndContainers) {
    TempRoot root;
    root.put(kStatus, kAll);
    auto rights = require_tracing_rights(root.get());
    ASSERT_FALSE(rights);
    EXPECT_NE(rights.error().what.find("BTF"), std::string::npos);
    root.put("/sys/kernel/btf/vmlinux", "x").put(kLockdown, "none [integrity] confidentiality\n");
    EXPECT_TRUE(require_tracing_rights(root.get()));
    root.put(kLockdown, "none integrity [confidentiality]\n");
    rights = require_tracing_rights(root.get());
    ASSERT_FALSE(rights);
    EXPECT_NE(rights.error().what.find("confidentiality"), std::string::npos);
    root.put(kLockdown, "[none] integrity confidentiality\n");
    root.put("/proc/self/uid_map", "         0     100000      65536\n");
    rights = require_tracing_rights(root.get());
    ASSERT_FALSE(rights);
    EXPECT_NE(rights.error().hint.find("container"), std::string::npos);
    root.put("/proc/self/uid_map", "         0          0 4294967295\n");
    EXPECT_TRUE(require_tracing_rights(root.get()));
}

TEST(Lockdown, IsUnknownWithoutSecurityfs) {
    TempRoot root;
    EXPECT_EQ(lockdown_level(root.get()), "none");
    root.put("/sys/kernel/security/lsm", "capability\n");
    EXPECT_EQ(lockdown_level(root.get()), "none");
    root.put(kLockdown, "none [integrity] confidentiality\n");
    EXPECT_EQ(lockdown_level(root.get()), "integrity");
    std::filesystem::remove_all(root.get().at("/sys/kernel/security"));
    std::filesystem::create_directories(root.get().at("/sys/kernel/security"));
    EXPECT_EQ(lockdown_level(root.get()), "unknown (securityfs is not mounted)");
}

TEST(Checks, OfAGuest) {
    const auto checks = check_capabilities(guest("arm64-7.3"));
    EXPECT_TRUE(find(checks, "rights").ok);
    EXPECT_TRUE(find(checks, "kprobes").ok);
    EXPECT_TRUE(find(checks, "uprobes").ok);
    EXPECT_TRUE(find(checks, "tracefs").ok);
    EXPECT_TRUE(find(checks, "BPF compiler").ok);
    EXPECT_FALSE(find(checks, "kernel type").ok) << "the copy has no BTF";
}

TEST(Checks, WhatIsNotOkHasARemedy) {
    TempRoot root;
    root.put("/proc/sys/net/core/bpf_jit_enable", "0\n")
        .put("/proc/sys/kernel/kptr_restrict", "2\n")
        .put(kLockdown, "none integrity [confidentiality]\n");
    for (const Check& check : check_capabilities(root.get())) {
        EXPECT_FALSE(check.ok) << check.name;
        EXPECT_FALSE(check.detail.empty()) << check.name;
        EXPECT_FALSE(check.remedy.empty()) << check.name;
    }
}

TEST(Checks, SymbolsAreShownByTheKernelsThreeRules) {
    TempRoot root;
    const char* restrict_path = "/proc/sys/kernel/kptr_restrict";
    const char* paranoid_path = "/proc/sys/kernel/perf_event_paranoid";
    const auto shown = [&root] { return find(check_capabilities(root.get()), "addresses").ok; };
    root.put(kStatus, "CapEff:\t0\n").put(restrict_path, "0\n").put(paranoid_path, "1\n");
    EXPECT_TRUE(shown());
    root.put(paranoid_path, "2\n");
    EXPECT_FALSE(shown());
    root.put(kStatus, kAll);
    EXPECT_TRUE(shown());
    root.put(restrict_path, "2\n");
    EXPECT_FALSE(shown());
}

}  // namespace
}  // namespace kcost::kernel
