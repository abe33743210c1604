#include "kernel/capability.h"

#include <unistd.h>

#include "base/text.h"
#include "kernel/facts.h"
#include "kernel/kallsyms_line.h"
#include "kernel/live_text.h"
#include "kernel/probe_lists.h"

namespace kcost::kernel {

namespace {

constexpr const char* kBtf = "/sys/kernel/btf/vmlinux";
constexpr const char* kKprobePmu = "/sys/bus/event_source/devices/kprobe/type";
constexpr const char* kUprobePmu = "/sys/bus/event_source/devices/uprobe/type";

bool readable(const Root& root, std::string_view path) {
    return ::access(root.at(path).c_str(), R_OK) == 0;
}

/// The set of effective capabilities; none where it can't be read.
std::uint64_t effective_capabilities(const Root& root) {
    const auto status = read_file(root.at("/proc/self/status"));
    if (!status) return 0;
    for (const std::string_view line : split(*status, '\n')) {
        if (line.starts_with("CapEff:")) return parse_hex(trim(line.substr(7)));
    }
    return 0;
}

/// Only rights in the first user namespace count; a container's root may have others. The first
/// one maps all numbers to themselves.
bool in_first_user_namespace(const Root& root) {
    const auto map = read_file(root.at("/proc/self/uid_map"));
    if (!map) return true;  // a kernel without user namespaces
    std::vector<std::string_view> fields;
    for (const std::string_view field : split(trim(*map), ' ')) {
        if (!field.empty()) fields.push_back(field);
    }
    return fields.size() == 3 && fields[0] == "0" && fields[1] == "0" && fields[2] == "4294967295";
}

/// Since Linux 2c78ee898d8f ("bpf: Implement CAP_BPF") (v5.8): CAP_SYS_ADMIN stands for both.
std::string missing_bpf_rights(const Root& root) {
    if (has_capability(root, Capability::kSysAdmin)) return "";
    const bool bpf = has_capability(root, Capability::kBpf);
    const bool perfmon = has_capability(root, Capability::kPerfmon);
    if (bpf && perfmon) return "";
    if (bpf) return "CAP_PERFMON is missing";
    return perfmon ? "CAP_BPF is missing" : "CAP_BPF and CAP_PERFMON are missing";
}

Check check_bpf_rights(const Root& root) {
    Check check{"rights to load BPF programs", false, missing_bpf_rights(root), "run with sudo"};
    if (!in_first_user_namespace(root)) {
        check.detail = "this is a user namespace, whose rights do not count for the kernel";
        check.remedy = "run outside of the container, or in a privileged one";
    } else if (check.detail.empty()) {
        const bool admin = has_capability(root, Capability::kSysAdmin);
        check = {check.name, true, admin ? "CAP_SYS_ADMIN" : "CAP_BPF and CAP_PERFMON", ""};
    }
    return check;
}

// Lockdown refuses kprobes, BPF's reads of kernel memory and /proc/kcore at "confidentiality" only.
Check check_lockdown(const Root& root) {
    const std::string level = lockdown_level(root);
    if (level != "confidentiality") return {"kernel lockdown", true, level, ""};
    return {"kernel lockdown", false, "confidentiality: the kernel refuses probes",
            "boot without lockdown=confidentiality"};
}

Check check_btf(const Root& root) {
    if (readable(root, kBtf)) return {"kernel type information (BTF)", true, kBtf, ""};
    return {"kernel type information (BTF)", false, std::string(kBtf) + " cannot be read",
            "boot a kernel with CONFIG_DEBUG_INFO_BTF=y"};
}

Check check_pmu(const Root& root, const char* name, const char* path, const char* option) {
    const bool there = ::access(root.at(path).c_str(), F_OK) == 0;
    if (there) return {name, true, path, ""};
    return {name, false, std::string(path) + " does not exist",
            std::string("boot a kernel with ") + option + "=y"};
}

Check check_symbols(const Root& root) {
    const std::string name = "addresses of kernel symbols";
    const std::string restrict_level = read_fact(root, "/proc/sys/kernel/kptr_restrict");
    const std::string detail = "kernel.kptr_restrict is " + restrict_level;
    if (restrict_level == "2") return {name, false, detail, "sysctl kernel.kptr_restrict=1"};
    if (has_capability(root, Capability::kSyslog)) return {name, true, detail, ""};
    // With 0 the kernel shows them to others only while perf_event_paranoid is 1 or less.
    const std::string paranoid = read_fact(root, "/proc/sys/kernel/perf_event_paranoid");
    const bool open =
        restrict_level == "0" && (paranoid == "1" || paranoid == "0" || paranoid == "-1");
    if (open) return {name, true, detail, ""};
    return {name, false, detail + ", and CAP_SYSLOG is missing", "run with sudo"};
}

Check check_kcore(const Root& root) {
    const std::string name = "live kernel text (/proc/kcore)";
    if (!has_capability(root, Capability::kSysRawio)) {
        return {name, false, "CAP_SYS_RAWIO is missing", "run with sudo"};
    }
    if (!readable(root, "/proc/kcore")) {
        return {name, false, "/proc/kcore cannot be read",
                "boot a kernel with CONFIG_PROC_KCORE=y"};
    }
    auto memory = LiveMemory::open(root);
    if (!memory) return {name, false, memory.error().what, memory.error().hint};
    return {name, true, "readable", ""};
}

Check check_jit(const Root& root) {
    const std::string name = "BPF compiler";
    const std::string state = read_fact(root, "/proc/sys/net/core/bpf_jit_enable");
    if (state == "0") {
        return {name, false, "off: programs are interpreted", "sysctl net.core.bpf_jit_enable=1"};
    }
    // Only root of the first network namespace can read it; where it is not there it is always on.
    return {name, true, state == "1" || state == "2" ? "on" : state, ""};
}

Check check_mount(const char* name, const std::optional<std::string>& mount, const char* remedy) {
    if (mount) return {name, true, *mount, ""};
    return {name, false, "not mounted", remedy};
}

}  // namespace

bool has_capability(const Root& root, Capability capability) {
    return (effective_capabilities(root) >> static_cast<unsigned>(capability) & 1) != 0;
}

/// "none [integrity] confidentiality". Without securityfs the kernel does not say.
std::string lockdown_level(const Root& root) {
    const bool folder = ::access(root.at("/sys/kernel/security").c_str(), F_OK) == 0;
    const bool empty = folder && list_folder(root, "/sys/kernel/security").empty();
    const char* absent = empty ? "unknown (securityfs is not mounted)" : "none";
    return bracketed(read_fact_or(root, "/sys/kernel/security/lockdown", absent));
}

std::vector<Check> check_capabilities(const Root& root) {
    return {
        check_bpf_rights(root),
        check_lockdown(root),
        check_btf(root),
        check_pmu(root, "kprobes", kKprobePmu, "CONFIG_KPROBE_EVENTS"),
        check_pmu(root, "uprobes", kUprobePmu, "CONFIG_UPROBE_EVENTS"),
        check_symbols(root),
        check_kcore(root),
        check_jit(root),
        check_mount("tracefs", tracefs_mount(root), "mount -t tracefs none /sys/kernel/tracing"),
        check_mount("debugfs", debugfs_mount(root), "mount -t debugfs none /sys/kernel/debug"),
    };
}

Result<void> require_tracing_rights(const Root& root) {
    const std::string start = "cannot load BPF programs: ";
    const std::string missing = missing_bpf_rights(root);
    if (!missing.empty()) {
        return fail(start + "not root (" + missing + ")", "run with sudo", ExitCode::kCannotHere);
    }
    for (const Check& check : {check_bpf_rights(root), check_lockdown(root), check_btf(root)}) {
        if (check.ok) continue;
        return fail(start + check.name + ": " + check.detail, check.remedy, ExitCode::kCannotHere);
    }
    return {};
}

}  // namespace kcost::kernel
