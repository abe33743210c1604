#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "kernel_btf_blob.h"
#include "patch/catalogue.h"
#include "patch/find.h"
#include "patch_subject.h"

namespace kcost::patch {
namespace {

using model::Evidence;
using model::PatchFinding;

constexpr std::uint32_t kKprobe = 0xd4200080;
constexpr std::uint32_t kNop = 0xd503201f;
const std::vector<std::string> kKernels = {
    "6.1-max",         "6.1-cortex-a72", "6.1-neoverse-n1",   "6.12-max",
    "6.12-cortex-a72", "6.12-kpti",      "6.12-neoverse-n1",  "6.18-max",
    "6.19-max",        "newest-max",     "newest-cortex-a72", "newest-neoverse-n1"};

const KnownPatch& known(const std::string& slug) {
    static const auto all = read_catalogue(KCOST_PATCHES);
    for (const KnownPatch& it : *all) {
        if (it.patch.slug == slug) return it;
    }
    throw std::runtime_error("no patch " + slug);
}

PatchFinding find_in(const std::string& slug, const Subject& subject) {
    return find(known(slug).signature, subject);
}

std::string evidence(const std::string& slug, const FixtureKernel& kernel) {
    const PatchFinding found = find_in(slug, kernel.subject());
    return model::to_string(found.evidence) + (found.form.empty() ? "" : " (" + found.form + ")");
}

bool is_of(const std::string& kernel_cpu, const std::vector<std::string>& kernels) {
    return std::find(kernels.begin(), kernels.end(), kernel_cpu.substr(0, kernel_cpu.find('-'))) !=
           kernels.end();
}

kernel::Btf types_of_task(const std::vector<std::string>& members) {
    kernel::BtfBlob blob;
    blob.integer();
    blob.structure("uprobe_task", members);
    return *kernel::Btf::parse(blob.bytes());
}

TEST(Find, TruthOnEveryKernelAndCpu) {
    for (const std::string& name : kKernels) {
        const FixtureKernel kernel(name);
        EXPECT_EQ(evidence("uprobe-xol-flush", kernel),
                  is_of(name, {"6.1", "6.12"}) ? "absent" : "present")
            << name;
        EXPECT_EQ(evidence("wp-fault-local-tlbi", kernel),
                  is_of(name, {"6.19", "newest"}) ? "present" : "absent")
            << name;
        EXPECT_EQ(evidence("uretprobe-return-instance", kernel), is_of(name, {"6.1", "6.12"})
                                                                     ? "absent (kmalloc per hit)"
                                                                     : "superseded (reuse pool)")
            << name;
        EXPECT_EQ(evidence("switch-context-this-cpu", kernel), "present") << name;
    }
}

// The functions reduced (tests/data/text/compiled.c), by two compilers, without and with the
// patches.
TEST(Find, TruthOfOtherCompilersCode) {
    for (const std::string compiler : {"gcc12", "clang14"}) {
        const FixtureKernel before(compiler + "-before"), after(compiler + "-after");
        for (const std::string slug :
             {"uprobe-xol-flush", "wp-fault-local-tlbi", "switch-context-this-cpu"}) {
            EXPECT_EQ(evidence(slug, before), "absent") << compiler << " " << slug;
            EXPECT_EQ(evidence(slug, after), "present") << compiler << " " << slug;
        }
        EXPECT_EQ(evidence("uretprobe-return-instance", before), "absent (kmalloc per hit)");
        Subject types = after.subject();
        types.types = types_of_task({"return_instances", "depth"});
        EXPECT_EQ(find_in("uretprobe-return-instance", types).form, "array") << compiler;
        // Without KALLSYMS_ALL.
        FixtureKernel bare_before = before, bare_after = after;
        bare_before.remove("__per_cpu_offset");
        bare_after.remove("__per_cpu_offset");
        EXPECT_EQ(evidence("switch-context-this-cpu", bare_before), "absent") << compiler;
        EXPECT_EQ(evidence("switch-context-this-cpu", bare_after), "present") << compiler;
    }
}

TEST(Find, TheSameWithoutDataSymbols) {
    for (const std::string& name : kKernels) {
        FixtureKernel kernel(name);
        if (!is_of(name, {"6.1"})) kernel.remove("__per_cpu_offset");
        EXPECT_EQ(evidence("switch-context-this-cpu", kernel), "present") << name;
    }
}

TEST(Find, TypesAgreeWithText) {
    Subject old = FixtureKernel("6.12-max").subject();
    old.types = types_of_task({"return_instances", "depth"});
    EXPECT_EQ(find_in("uretprobe-return-instance", old).form, "kmalloc per hit");
    Subject pool = FixtureKernel("6.18-max").subject();
    pool.types = types_of_task({"return_instances", "ri_pool", "ri_timer"});
    EXPECT_EQ(find_in("uretprobe-return-instance", pool).evidence, Evidence::kSuperseded);
}

constexpr std::uint32_t kReturn = 0xd65f03c0;
constexpr std::uint32_t kSkipOne = 0xb5000040;  // cbnz x0, to the one behind the next

/// The handler of a kernel whose handler calls `helper` and then hijacks the return address.
FixtureKernel handler_with(const std::string& helper, const std::vector<std::uint32_t>& first) {
    FixtureKernel kernel("gcc12-before");
    const auto call = [&](const std::string& name, std::uint64_t from) {
        return 0x94000000 | ((kernel.address(name) - from) >> 2 & 0x3ffffff);
    };
    const std::uint64_t handler = kernel.address("uprobe_notify_resume");
    const std::uint64_t at = handler + 0x1000;
    std::vector<std::uint32_t> words = first;
    words.push_back(
        static_cast<std::uint32_t>(call("__kmalloc_cache_noprof", at + 4 * words.size())));
    words.push_back(kReturn);
    kernel.add(helper, {at, words});
    const auto to_helper = static_cast<std::uint32_t>(call(helper, handler));
    const auto to_hijack =
        static_cast<std::uint32_t>(call("arch_uretprobe_hijack_return_addr", handler + 4));
    kernel.add("uprobe_notify_resume", {handler, {to_helper, to_hijack, kReturn}});
    return kernel;
}

// An allocation that the compiler left in a helper, which makes it sometimes, or always.
TEST(Find, AnAllocationInAHelperIsSeen) {
    const auto form = [](const FixtureKernel& kernel) {
        Subject subject = kernel.subject();
        subject.types = types_of_task({"return_instances", "depth"});
        return find_in("uretprobe-return-instance", subject).form;
    };
    EXPECT_EQ(form(handler_with("get_utask", {kSkipOne})), "array");
    EXPECT_EQ(form(handler_with("alloc_return_instance", {})), "kmalloc per hit");
    EXPECT_EQ(form(handler_with("some_other_helper", {kSkipOne})), "");
}

TEST(Find, AnArrayWithoutTypesShowsInThatNothingIsFreed) {
    FixtureKernel kernel = handler_with("get_utask", {kSkipOne});
    EXPECT_EQ(evidence("uretprobe-return-instance", kernel), "cannot tell");
    kernel.add("uprobe_handle_trampoline", {kernel.address("get_utask") + 0x1000, {kReturn}});
    EXPECT_EQ(evidence("uretprobe-return-instance", kernel), "present (array)");
}

TEST(Find, TypesAloneTell) {
    Subject subject = FixtureKernel("6.18-max").subject();
    subject.kernel.text.words.assign(subject.kernel.text.words.size(), 0);
    subject.types = types_of_task({"return_instances", "frame"});
    EXPECT_EQ(find_in("uretprobe-return-instance", subject).form, "array");
    // 6.13: freed by RCU, allocated each time.
    subject.types = types_of_task({"return_instances", "ri_timer"});
    EXPECT_EQ(find_in("uretprobe-return-instance", subject).form, "kmalloc per hit");
}

TEST(Find, ContradictionIsNoAnswer) {
    Subject subject = FixtureKernel("6.12-max").subject();
    subject.types = types_of_task({"ri_pool"});
    const PatchFinding found = find_in("uretprobe-return-instance", subject);
    EXPECT_EQ(found.evidence, Evidence::kCannotTell);
    EXPECT_NE(found.why.find("contradicts"), std::string::npos) << found.why;
}

TEST(Find, ShowsTheInstructionsThatProveIt) {
    const PatchFinding found = find_in("uprobe-xol-flush", FixtureKernel("6.18-max").subject());
    EXPECT_EQ(found.why, "a hit can leave the slot without flushing caches");
    ASSERT_EQ(found.facts.size(), 2u);
    EXPECT_EQ(found.facts[1].claim,
              "returns without calling sync_icache_aliases, caches_clean_inval_pou or "
              "__flush_icache_range");
    std::vector<std::string> lines;
    for (const auto& it : found.facts[1].instructions) lines.push_back(it.place + " " + it.text);
    EXPECT_EQ(lines, (std::vector<std::string>{
                         "arch_uprobe_copy_ixol+0x70 bl #0xffff93203cd6d310 <memcmp>",
                         "arch_uprobe_copy_ixol+0x74 cbz w0, #0xffff93203be5077c "
                         "<arch_uprobe_copy_ixol+0x94>",
                         "arch_uprobe_copy_ixol+0xb0 cbz x1, #0xffff93203be507a4 "
                         "<arch_uprobe_copy_ixol+0xbc>",
                         "arch_uprobe_copy_ixol+0xbc bl #0xffff93203cdaab90 <preempt_schedule>",
                         "arch_uprobe_copy_ixol+0xd0 ret"}));
}

TEST(Find, AbsenceShowsTheCallThatNoWayAvoids) {
    const PatchFinding found = find_in("uprobe-xol-flush", FixtureKernel("6.12-max").subject());
    EXPECT_EQ(found.why, "every hit that uses a slot flushes caches");
    ASSERT_EQ(found.facts.size(), 2u);
    EXPECT_EQ(found.facts[1].value, model::FactFinding::Value::kNo);
    ASSERT_EQ(found.facts[1].instructions.size(), 1u);
    EXPECT_EQ(found.facts[1].instructions[0].place, "arch_uprobe_copy_ixol+0x64");
}

struct Doubt {
    std::string slug;
    std::string kernel_cpu;
    std::string function;
};

// Each signature's function, where it is present and where it is absent.
const std::vector<Doubt> kDoubts = {
    {"uprobe-xol-flush", "6.12-max", "arch_uprobe_copy_ixol"},
    {"uprobe-xol-flush", "6.18-max", "arch_uprobe_copy_ixol"},
    {"wp-fault-local-tlbi", "6.1-max", "ptep_set_access_flags"},
    {"wp-fault-local-tlbi", "6.12-max", "__ptep_set_access_flags"},
    {"wp-fault-local-tlbi", "newest-max", "__ptep_set_access_flags_anysz"},
    {"uretprobe-return-instance", "6.1-max", "uprobe_notify_resume"},
    {"uretprobe-return-instance", "6.12-max", "uprobe_notify_resume"},
    {"uretprobe-return-instance", "6.18-max", "handler_chain"},
    {"switch-context-this-cpu", "6.12-max", "check_and_switch_context"}};

TEST(Find, AKprobeAnywhereInItIsDoubt) {
    for (const Doubt& doubt : kDoubts) {
        for (const std::size_t offset : {0u, 8u, 40u}) {
            FixtureKernel kernel(doubt.kernel_cpu);
            kernel.word(doubt.function, offset) = kKprobe;
            const PatchFinding found = find_in(doubt.slug, kernel.subject());
            EXPECT_EQ(found.evidence, Evidence::kCannotTell) << doubt.slug << " " << offset;
            EXPECT_NE(found.why.find("a kprobe hides the instruction at " + doubt.function + "+0x"),
                      std::string::npos)
                << found.why;
            EXPECT_NE(found.remedy.find("run again"), std::string::npos) << found.remedy;
        }
    }
}

TEST(Find, AnArmedFtraceSiteIsReadAround) {
    for (const Doubt& doubt : kDoubts) {
        FixtureKernel kernel(doubt.kernel_cpu);
        const std::string before = evidence(doubt.slug, kernel);
        ASSERT_EQ(kernel.word(doubt.function, 4), kNop);
        kernel.word(doubt.function, 4) = 0x94000000 | 0x1234;  // bl to a trampoline
        EXPECT_EQ(evidence(doubt.slug, kernel), before) << doubt.slug;
    }
}

TEST(Find, AnEntryThatLeadsElsewhereIsDoubt) {
    for (const Doubt& doubt : kDoubts) {
        for (const std::size_t offset : {0u, 4u, 8u, 12u}) {
            FixtureKernel kernel(doubt.kernel_cpu);
            kernel.word(doubt.function, offset) = 0x14000000 | 0x100000;  // b, 4 MB on
            const PatchFinding found = find_in(doubt.slug, kernel.subject());
            EXPECT_EQ(found.evidence, Evidence::kCannotTell) << doubt.slug << " " << offset;
            EXPECT_NE(found.why.find("leads elsewhere"), std::string::npos) << found.why;
        }
    }
}

TEST(Find, ALivepatchedFunctionIsDoubt) {
    for (const Doubt& doubt : kDoubts) {
        Subject subject = FixtureKernel(doubt.kernel_cpu).subject();
        subject.livepatched.insert(doubt.function);
        const PatchFinding found = find_in(doubt.slug, subject);
        EXPECT_EQ(found.evidence, Evidence::kCannotTell) << doubt.slug;
        EXPECT_NE(found.why.find(doubt.function + " is livepatched"), std::string::npos);
    }
}

TEST(Find, ARenamedOrMissingFunctionIsDoubt) {
    for (const Doubt& doubt : kDoubts) {
        if (doubt.slug == "uretprobe-return-instance") continue;  // found by what it calls
        FixtureKernel kernel(doubt.kernel_cpu);
        kernel.rename(doubt.function, "some_other_name");
        const PatchFinding found = find_in(doubt.slug, kernel.subject());
        EXPECT_EQ(found.evidence, Evidence::kCannotTell) << doubt.slug;
        EXPECT_NE(found.why.find("this kernel has no function"), std::string::npos) << found.why;
    }
}

TEST(Find, ARenamedCalleeIsDoubt) {
    const std::vector<std::vector<std::string>> cases = {
        {"uprobe-xol-flush", "6.12-max", "sync_icache_aliases"},
        {"uprobe-xol-flush", "6.18-max", "sync_icache_aliases"},
        {"uretprobe-return-instance", "6.12-max", "__kmalloc_cache_noprof"},
        {"uretprobe-return-instance", "6.1-max", "kmalloc_trace"},
        {"uretprobe-return-instance", "6.18-max", "arch_uretprobe_hijack_return_addr"}};
    for (const auto& it : cases) {
        FixtureKernel kernel(it[1]);
        kernel.rename(it[2], "some_other_name");
        EXPECT_EQ(evidence(it[0], kernel), "cannot tell") << it[0] << " " << it[1];
    }
}

TEST(Find, SeveralFunctionsOfTheNameAreDoubt) {
    FixtureKernel kernel("6.12-max");
    kernel.add("arch_uprobe_copy_ixol.isra.0",
               {kernel.address("arch_uprobe_copy_ixol") + 0x100000, {0xd65f03c0}});
    const PatchFinding found = find_in("uprobe-xol-flush", kernel.subject());
    EXPECT_EQ(found.evidence, Evidence::kCannotTell);
    EXPECT_EQ(found.why, "2 functions are called arch_uprobe_copy_ixol here");
}

TEST(Find, ATwinByTheCompilerIsTheSameFunction) {
    FixtureKernel kernel("6.12-max");
    kernel.rename("arch_uprobe_copy_ixol", "arch_uprobe_copy_ixol.constprop.0");
    EXPECT_EQ(evidence("uprobe-xol-flush", kernel), "absent");
}

TEST(Find, AJumpToAnUnknownPlaceHidesThatThereIsNoWay) {
    FixtureKernel kernel("6.12-max");
    kernel.word("arch_uprobe_copy_ixol", 40) = 0xd61f0200;  // br x16
    const PatchFinding found = find_in("uprobe-xol-flush", kernel.subject());
    EXPECT_EQ(found.evidence, Evidence::kCannotTell);
}

}  // namespace
}  // namespace kcost::patch
