#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "kernel/operations.h"
#include "kernel_a64_words.h"
#include "kernel_temp_root.h"
#include "kernel_text_fixture.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

using Words = std::vector<std::uint32_t>;
using Lines = std::vector<std::string>;

/// "+ENTRY to +EXIT +EXIT: OPERATIONS", then what is true of it.
std::string describe(const OperationSite& site, std::uint64_t begin) {
    std::string text = fmt::format("+{} to", site.entry - begin);
    for (const std::uint64_t exit : site.exits) text += fmt::format(" +{}", exit - begin);
    text += ":";
    for (const std::string& operation : site.operations) text += " " + operation;
    const std::pair<bool, const char*> facts[] = {
        {site.broadcast, "broadcast"}, {site.one_page, "page"},     {site.in_loop, "in_loop"},
        {site.escapes, "escapes"},     {site.repeated, "repeated"}, {site.user_twin, "twin"},
        {site.frame_record, "frame"},
    };
    const char* before = "; ";
    for (const auto& [is_true, name] : facts) {
        if (!is_true) continue;
        text += before + std::string(name);
        before = " ";
    }
    return text;
}

Lines sites_of(const TextRange& function) {
    Lines lines;
    for (const OperationSite& site : operation_sites(Flow::of(function))) {
        lines.push_back(describe(site, function.begin));
    }
    return lines;
}
Lines sites_of(Words words) { return sites_of(TextRange{kHere, std::move(words)}); }
Lines sites_in(const std::string& kernel_cpu, const std::string& symbol) {
    return sites_of(fixture_function(kernel_cpu, symbol));
}

TEST(Operations, FromTheBarrierBeforeToTheInstructionBehind) {
    EXPECT_EQ(sites_of({kNop, kDsbIshst, kMove, kFlush, kMove, kDsbIsh, kMove, kRet}),
              Lines{"+4 to +24: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbNshst, kFlushHere, kDsbNsh, kIsb, kRet}),
              Lines{"+0 to +12: vale1; page"});
    // Without it the operation is where it begins.
    EXPECT_EQ(sites_of({kNop, kFlushProcess, kDsbIsh, kRet}),
              Lines{"+4 to +12: aside1is; broadcast"});
}

TEST(Operations, NothingIsFoundWhereNothingIsDone) {
    for (const Words& words :
         {Words{}, Words{kNop, kRet}, Words{kDsbIsh, kRet}, Words{kDsbIshst, kDsbIsh, kRet},
          Words{kFlushAgain, kDsbIsh, kRet}, Words{kDsbIshst, kNop, kNop}, Words{kUdf, kFlush},
          // What does not run is not there.
          Words{b(0, 12), kFlush, kDsbIsh, kRet}}) {
        EXPECT_EQ(sites_of(words), Lines{}) << words.size();
    }
}

TEST(Operations, AReturnDirectlyBehindTheBarrierIsTheExit) {
    EXPECT_EQ(sites_of({kFlush, kDsbIsh, kRet}), Lines{"+0 to +8: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kIsb, kRet}),
              Lines{"+0 to +12: vale1is; broadcast page"});
    // Nothing is behind it.
    EXPECT_EQ(sites_of({kFlush, kDsbIsh}), Lines{"+0 to: vale1is; broadcast page escapes"});
}

TEST(Operations, ALoopIsNotOnePage) {
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, cbz(8, 4), kDsbIsh, kRet}),
              Lines{"+0 to +16: vale1is; broadcast"});
    // None at all is a turn less.
    EXPECT_EQ(sites_of({kDsbIshst, cbz(4, 16), kFlush, cbz(12, 8), kDsbIsh, kRet}),
              Lines{"+0 to +20: vale1is; broadcast"});
    EXPECT_EQ(sites_of({kDsbIshst, cbz(4, 24), kFlush, cbz(12, 8), kDsbIsh, kRet, kRet}),
              Lines{"+0 to +20: vale1is; broadcast escapes"});
}

TEST(Operations, AnEntryWithinALoopIsTold) {
    EXPECT_EQ(sites_of({kNop, kFlush, cbz(8, 4), kDsbIsh, kRet}),
              Lines{"+4 to +16: vale1is; broadcast in_loop"});
    // Each turn is a flush of its own.
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, cbz(12, 0), kRet}),
              Lines{"+0 to +12: vale1is; broadcast page"});
    // The barrier before is in the loop, the one behind is not: no span tells the time of a flush.
    const TextRange both{kHere, {kDsbIshst, kFlush, cbz(8, 0), kDsbIsh, kRet}};
    const auto sites = operation_sites(Flow::of(both));
    ASSERT_EQ(sites.size(), 1u);
    EXPECT_TRUE(sites[0].in_loop || sites[0].escapes);
    EXPECT_FALSE(sites[0].one_page);
}

// The "nosync" forms leave the barrier to who asked for them.
TEST(Operations, TheBarrierMayBeSomebodyElses) {
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kRet}), Lines{"+0 to: vale1is; broadcast page escapes"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, b(8, 0x100)}),
              Lines{"+0 to: vale1is; broadcast page escapes"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, cbz(8, 16), kRet, kDsbIsh, kRet}),
              Lines{"+0 to +20: vale1is; broadcast page escapes"});
    // Another sequence comes before the barrier.
    EXPECT_EQ(
        sites_of({kDsbIshst, kFlush, kDsbIshst, kFlush, kDsbIsh, kRet}),
        (Lines{"+0 to: vale1is; broadcast page escapes", "+8 to +20: vale1is; broadcast page"}));
}

// Its own barrier before it does not tell that a flush begins.
TEST(Operations, AWayPastTheOperationMovesTheEntry) {
    EXPECT_EQ(sites_of({kDsbIshst, cbz(4, 20), kFlush, kDsbIsh, kRet, kRet}),
              Lines{"+8 to +16: vale1is; broadcast page"});
}

TEST(Operations, TheExitIsWhereTheStackPointerIsBack) {
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kFlush, kDsbIsh, kNop, kPop, kRet}),
              Lines{"+0 to +24: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, 0xd10083ff, kFlush, kDsbIsh, 0x910083ff, kRet}),
              Lines{"+0 to +20: vale1is; broadcast page"});
    // It moves before, or to and fro.
    EXPECT_EQ(sites_of({kPush, kDsbIshst, kFlush, kDsbIsh, kPop, kRet}),
              Lines{"+4 to +16: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kPop, kFlush, kDsbIsh, kRet}),
              Lines{"+0 to +20: vale1is; broadcast page"});
    // It does not come back, or who knows when.
    const Lines never = {"+0 to: vale1is; broadcast page escapes"};
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kFlush, kDsbIsh, kNop, kRet}), never);
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kFlush, kDsbIsh, cbz(16, 20), kPop, kRet}),
              Lines{"+0 to +24: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kFlush, kDsbIsh, cbz(16, 24), kPop, kRet}), never);
    Words late = {kDsbIshst, kPush, kFlush, kDsbIsh};
    late.insert(late.end(), 9, kNop);
    late.insert(late.end(), {kPop, kRet});
    EXPECT_EQ(sites_of(late), never);
}

// A kprobe is to be set there.
TEST(Operations, TheExitTakesAKprobe) {
    constexpr std::uint32_t kAutiasp = 0xd50323bf, kReadDaif = 0xd53b4220;
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kAutiasp, kRet}),
              Lines{"+0 to +16: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kPush, kFlush, kDsbIsh, kPop, kAutiasp, kReadDaif, kRet}),
              Lines{"+0 to +28: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kAutiasp}),
              Lines{"+0 to: vale1is; broadcast page escapes"});
}

TEST(Operations, ARepetitionBelongsToItsOperation) {
    // By a branch to the replacement of the alternative, and back.
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, b(12, 24), kNop, kRet, kFlushAgain, kDsbIsh,
                        b(32, 16)}),
              Lines{"+0 to +32: vale1is; broadcast page repeated"});
    // By fall-through, twice.
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kFlushAgain, kDsbIsh, kRet}),
              Lines{"+0 to +20: vale1is; broadcast page repeated"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kNop, kNop, kFlushAgain, kDsbIsh, kFlushAgain,
                        kDsbIsh, kRet}),
              Lines{"+0 to +36: vale1is; broadcast page repeated"});
    // Something is between, or no barrier follows.
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kMove, kFlushAgain, kDsbIsh, kRet}),
              Lines{"+0 to +12: vale1is; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, kDsbIsh, kFlushAgain, kRet}),
              Lines{"+0 to +12: vale1is; broadcast page"});
}

TEST(Operations, ASecondOneOfTheSameKindIsTheUsersHalf) {
    EXPECT_EQ(sites_of({kDsbIshst, kFlush, cbz(8, 16), kFlush | 1, kDsbIsh, kRet}),
              Lines{"+0 to +20: vale1is; broadcast page twin"});
    // Another kind is another page.
    EXPECT_EQ(sites_of({kDsbIshst, cbz(4, 16), kFlush, kDsbIsh, kFlushTable, kDsbIsh, kRet}),
              (Lines{"+0 to +16 +24: vale1is vae1is; broadcast page"}));
}

TEST(Operations, SeveralOfAFunctionByAddress) {
    EXPECT_EQ(sites_of({b(0, 20), kDsbIshst, kFlush, kDsbIsh, kRet, kDsbNshst, kFlushHere, kDsbNsh,
                        b(32, 4)}),
              (Lines{"+4 to +16: vale1is; broadcast page", "+20 to +32: vale1; page"}));
    EXPECT_EQ(sites_of({kDsbIshst, cbz(4, 20), kFlush, kDsbIsh, kRet, kFlush, kDsbIsh, kNop, kRet}),
              Lines{"+0 to +16 +28: vale1is; broadcast page"});
}

TEST(Operations, KnowsWhetherTheFrameRecordIsMade) {
    EXPECT_EQ(sites_of({kPush, kFrame, kDsbIshst, kFlush, kDsbIsh, kPop, kRet}),
              Lines{"+8 to +20: vale1is; broadcast page frame"});
    EXPECT_EQ(sites_of({cbz(0, 8), kFrame, kFlush, kDsbIsh, kRet}),
              Lines{"+8 to +16: vale1is; broadcast page"});
}

TEST(Operations, ScopesAndKinds) {
    EXPECT_EQ(sites_of({kDsbIshst, 0xd50881a0, kDsbIsh, kRet}),
              Lines{"+0 to +12: vale1os; broadcast page"});
    EXPECT_EQ(sites_of({kDsbIshst, 0xd50882a0, kDsbIsh, kRet}),
              Lines{"+0 to +12: rvale1is; broadcast"});
    EXPECT_EQ(sites_of({kDsbNshst, 0xd508871f, kDsbNsh, kRet}), Lines{"+0 to +12: vmalle1"});
}

TEST(Operations, AnyWordsEnd) {
    const std::uint32_t words[] = {kNop,   kRet,  kDsbIshst, kDsbIsh,     kFlush,
                                   kFlush, kPush, kPop,      kFlushAgain, kFlushHere,
                                   kFrame, kUdf,  kDsbNsh,   kDsbNshst,   kMove};
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        TextRange range{kHere, {}};
        for (int i = 0; i < 40; ++i) {
            const int from = 4 * i, to = static_cast<int>(random() % 44) * 4 - 8;
            const std::uint32_t kinds[] = {words[random() % 15], words[random() % 15],
                                           cbz(from, to), b(from, to)};
            range.words.push_back(kinds[random() % 8 % 4]);
        }
        for (const OperationSite& site : operation_sites(Flow::of(range))) {
            EXPECT_TRUE(range.contains(site.entry));
            EXPECT_FALSE(site.operations.empty());
            for (const std::uint64_t exit : site.exits) EXPECT_TRUE(range.contains(exit));
        }
    }
}

TEST(OperationsOfKernels, AccessFlags) {
    EXPECT_EQ(sites_in("6.1-max", "ptep_set_access_flags"),
              Lines{"+144 to +180: vale1is; broadcast page"});
    EXPECT_EQ(sites_in("6.12-max", "__ptep_set_access_flags"),
              Lines{"+128 to +164 +248: vale1is; broadcast page"});
    EXPECT_EQ(sites_in("6.12-kpti", "__ptep_set_access_flags"),
              Lines{"+128 to +164 +248: vale1is; broadcast page twin"});
    EXPECT_EQ(sites_in("6.12-neoverse-n1", "__ptep_set_access_flags"),
              Lines{"+128 to +204 +248: vale1is; broadcast page repeated twin"});
    EXPECT_EQ(sites_in("6.19-max", "__ptep_set_access_flags"),
              Lines{"+128 to +176 +252: vale1; page"});
    EXPECT_EQ(
        sites_in("newest-max", "__ptep_set_access_flags_anysz"),
        (Lines{"+212 to +368: vale1 rvale1; frame", "+612 to +636: aside1is; broadcast frame"}));
    EXPECT_EQ(
        sites_in("newest-neoverse-n1", "__ptep_set_access_flags_anysz"),
        (Lines{"+212 to +368: vale1; frame", "+612 to +700: aside1is; broadcast repeated frame"}));
}

TEST(OperationsOfKernels, CopiesAndUnmappings) {
    EXPECT_EQ(sites_in("6.1-max", "ptep_clear_flush"),
              Lines{"+72 to +108: vale1is; broadcast page"});
    EXPECT_EQ(sites_in("6.12-max", "ptep_clear_flush"),
              Lines{"+104 to +140: vale1is; broadcast page frame"});
    EXPECT_EQ(sites_in("6.12-neoverse-n1", "ptep_clear_flush"),
              Lines{"+104 to +188: vale1is; broadcast page repeated twin frame"});
    EXPECT_EQ(sites_in("newest-max", "ptep_clear_flush"),
              Lines{"+112 to +156: vale1is; broadcast page frame"});
    EXPECT_EQ(sites_in("6.18-max", "do_wp_page"),
              Lines{"+2096 to +2140 +2720: vale1is; broadcast page frame"});
    // The nosync form.
    EXPECT_EQ(sites_in("6.1-max", "folio_referenced_one"),
              Lines{"+524 to: vale1is; broadcast escapes frame"});
    EXPECT_EQ(sites_in("6.12-max", "folio_referenced_one"), Lines{});
}

TEST(OperationsOfKernels, RangesAndProcesses) {
    EXPECT_EQ(sites_in("6.1-max", "tlb_flush"),
              (Lines{"+200 to +336: vale1is rvale1is vae1is rvae1is; broadcast",
                     "+388 to +336: aside1is; broadcast"}));
    EXPECT_EQ(sites_in("6.12-max", "tlb_flush"),
              (Lines{"+220 to +392: vale1is vae1is rvae1is rvale1is; broadcast frame",
                     "+408 to +432: aside1is; broadcast frame",
                     "+1040 to +1064: aside1is; broadcast frame"}));
    // No range forms and twice each on this CPU.
    EXPECT_EQ(sites_in("6.12-neoverse-n1", "tlb_flush"),
              (Lines{"+220 to +472: vale1is vae1is; broadcast repeated frame",
                     "+408 to +616: aside1is; broadcast repeated frame",
                     "+1040 to +1132: aside1is; broadcast repeated frame"}));
    EXPECT_EQ(sites_in("6.18-max", "local_flush_tlb_all"), Lines{"+0 to +20: vmalle1"});
    EXPECT_EQ(sites_in("6.12-max", "check_and_switch_context"),
              Lines{"+204 to +216: vmalle1; frame"});
    EXPECT_EQ(sites_in("6.12-max", "caches_clean_inval_pou"), Lines{});
}

BroadcastFacts facts_of(const std::string& kernel_cpu, const std::string& symbol) {
    return broadcast_facts(operation_sites(Flow::of(fixture_function(kernel_cpu, symbol))));
}

TEST(OperationsOfKernels, BroadcastFacts) {
    const BroadcastFacts max = facts_of("6.12-max", "ptep_clear_flush");
    EXPECT_TRUE(max.found);
    EXPECT_FALSE(max.repeated || max.user_twin);
    const BroadcastFacts kpti = facts_of("6.12-kpti", "ptep_clear_flush");
    EXPECT_TRUE(kpti.found && kpti.user_twin && !kpti.repeated);
    const BroadcastFacts erratum = facts_of("newest-neoverse-n1", "do_wp_page");
    EXPECT_TRUE(erratum.found && erratum.repeated);
    // Local, and of a process: they tell nothing of a page's broadcast.
    EXPECT_FALSE(facts_of("6.19-max", "__ptep_set_access_flags").found);
    EXPECT_FALSE(facts_of("6.18-max", "flush_tlb_mm").found);
    EXPECT_FALSE(broadcast_facts({}).found);
}

/// Functions laid one behind the other, with their symbols.
class Text {
public:
    Text& add(const std::string& name, const Words& words) {
        alias(name);
        range_.words.insert(range_.words.end(), words.begin(), words.end());
        return *this;
    }
    /// A name for what is added next.
    Text& alias(const std::string& name, char type = 'T') {
        lines_ += fmt::format("{:016x} {} {}\n", range_.end(), type, name);
        return *this;
    }
    int offset() const { return static_cast<int>(range_.words.size() * 4); }
    Lines operations() {
        TempRoot root;
        root.put("/proc/kallsyms", lines_ + fmt::format("{:016x} D _etext\n", range_.end()));
        const auto symbols = Symbols::read(root.get());
        EXPECT_TRUE(symbols) << symbols.error().what;
        Lines lines;
        for (const FoundOperation& found : find_operations(range_, *symbols)) {
            lines.push_back(found.function + " " + describe(found.site, found.function_address));
        }
        return lines;
    }

private:
    TextRange range_{kHere, {}};
    std::string lines_;
};

TEST(FindOperations, InAllFunctionsOfTheText) {
    const auto fixture = [](const char* symbol) {
        return fixture_function("6.12-max", symbol).words;
    };
    Text text;
    text.add("plain", {kNop, kRet})
        .add("__ptep_set_access_flags", fixture("__ptep_set_access_flags"))
        .add("check_and_switch_context", fixture("check_and_switch_context"))
        .add("tlb_flush.isra.0", fixture("tlb_flush"));
    EXPECT_EQ(
        text.operations(),
        (Lines{"__ptep_set_access_flags +128 to +164 +248: vale1is; broadcast page",
               "check_and_switch_context +204 to +216: vmalle1; frame",
               "tlb_flush.isra.0 +220 to +392: vale1is vae1is rvae1is rvale1is; broadcast frame",
               "tlb_flush.isra.0 +408 to +432: aside1is; broadcast frame",
               "tlb_flush.isra.0 +1040 to +1064: aside1is; broadcast frame"}));
}

TEST(FindOperations, AFunctionOfTwoNamesIsFoundOnce) {
    Text text;
    text.alias("__pi_flush", 't').add("flush", {kFlush, kDsbIsh, kRet});
    EXPECT_EQ(text.operations(), Lines{"flush +0 to +8: vale1is; broadcast page"});
}

TEST(FindOperations, GuestsPagesAreNoProcessPages) {
    const Words words = {kDsbIshst, kFlush, kDsbIsh, kRet};
    Text text;
    text.add("__kvm_nvhe___kvm_tlb_flush_vmid_ipa", words).add("__kvm_tlb_flush_vmid_ipa", words);
    EXPECT_EQ(text.operations(), Lines{"__kvm_tlb_flush_vmid_ipa +0 to +12: vale1is; broadcast"});
}

TEST(FindOperations, NothingRunsBehindACallThatDoesNotReturn) {
    const auto text_with = [](const std::string& callee) {
        Text text;
        text.add(callee, {kUdf});
        const int call = text.offset() + 8;
        text.add("f", {cbz(0, 8), kRet, bl(call, 0), kFlush, kDsbIsh, kRet});
        return text.operations();
    };
    EXPECT_EQ(text_with("__stack_chk_fail"), Lines{});
    EXPECT_EQ(text_with("another"), Lines{"f +12 to +20: vale1is; broadcast page"});
}

// A word that looks like one, in what never runs.
TEST(FindOperations, DataIsNoOperation) {
    Text text;
    text.add("f", {kRet, kFlush, kDsbIsh, kRet}).add("g", {kRet});
    EXPECT_EQ(text.operations(), Lines{});
}

}  // namespace
}  // namespace kcost::kernel
