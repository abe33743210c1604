#include <gtest/gtest.h>

#include "kernel_a64_words.h"
#include "kernel_live_root.h"
#include "patch/look_up.h"
#include "patch_subject.h"

namespace kcost::patch {
namespace {

using kernel::TextRange;
using model::FactFinding;
using Value = FactFinding::Value;
using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kHere = 0xffff800080010000;
constexpr std::uint64_t kTable = 0xffff800080345678;
constexpr std::uint32_t kMaskInterrupts = 0xd50342df;  // msr daifset, #2
constexpr std::uint32_t kMaskDebug = 0xd50348df;       // msr daifset, #8
constexpr std::uint32_t kMaskPriorities = 0xd5184600;  // msr icc_pmr_el1, x0
constexpr std::uint32_t kReadOffset = 0xd538d080;      // mrs x0, tpidr_el1
constexpr std::uint32_t kReadOffsetEl2 = 0xd53cd041;   // mrs x1, tpidr_el2
constexpr std::uint32_t kLoadScaled = 0xf8747aaa;      // ldr x10, [x21, x20, lsl #3]
constexpr std::uint32_t kLoadUnscaled = 0xf8606841;    // ldr x1, [x2, x0]
// adrp x19 to the table's page, and what makes of x19 the table's address.
constexpr std::uint32_t kPages = (kTable >> 12) - (kHere >> 12);
constexpr std::uint32_t kPage = 0x90000013 | (kPages & 3) << 29 | (kPages >> 2) << 5;
constexpr std::uint32_t kAdd = 0x91000273 | (kTable & 0xfff) << 10;         // add x19, x19, #
constexpr std::uint32_t kAddToOther = 0x91000274 | (kTable & 0xfff) << 10;  // add x20, x19, #
constexpr std::uint32_t kLoad = 0xf9400262 | (kTable & 0xfff) >> 3 << 10;   // ldr x2, [x19, #]

FactFinding look(const Fact& fact, const Words& words, bool listed = true,
                 const std::map<std::string, Words>& others = {}) {
    FixtureKernel kernel;
    kernel.add("f", {kHere, words});
    std::uint64_t next = kHere + 0x1000;
    for (const auto& [name, code] : others) {
        kernel.add(name, {next, code});
        next += 0x1000;
    }
    Subject subject = kernel.subject();
    if (listed) subject.data["table"] = kTable;
    Functions functions(subject);
    return look_up(fact, subject, functions);
}

Fact fact(decltype(Fact::what) what, bool before_masked = false) {
    Fact made;
    made.name = "it";
    made.place.functions = {"f"};
    made.place.before_masked = before_masked;
    made.what = std::move(what);
    return made;
}

// Calls from offset `from` of f to the n-th other function.
std::uint32_t call(int from, int n) { return kernel::bl(from, 0x1000 * (n + 1)); }
std::uint32_t tail(int from, int n) { return kernel::b(from, 0x1000 * (n + 1)); }

const std::map<std::string, Words> kOthers = {{"a", {kernel::kRet}}, {"b", {kernel::kRet}}};

TEST(LookUp, ASymbolByPageAndOffset) {
    const Fact table = fact(ReferenceFact{"table", false}, true);
    const Words none = {kPage, kernel::kRet};
    EXPECT_EQ(look(table, none).value, Value::kNo);
    EXPECT_EQ(look(table, {kPage, kAdd, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(table, {kPage, kernel::kNop, kAddToOther, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(table, {kPage, kLoad, kernel::kRet}).value, Value::kYes);
    // Only what a way comes to, and before interrupts are masked.
    EXPECT_EQ(look(table, {kPage, kernel::kRet, kAdd, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(table, {kMaskInterrupts, kPage, kAdd, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(table, {kMaskPriorities, kPage, kAdd, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(table, {kMaskDebug, kPage, kAdd, kernel::kRet}).value, Value::kYes);
    // The register is another value by then.
    EXPECT_EQ(look(table, {kPage, kAddToOther - 0x400, kAddToOther, kernel::kRet}).value,
              Value::kYes);
    EXPECT_EQ(look(table, {kPage, 0x91000673, kAdd, kernel::kRet}).value, Value::kNo);
}

TEST(LookUp, ASymbolBehindABranch) {
    const Fact table = fact(ReferenceFact{"table", false});
    const Words words = {kPage, kernel::cbz(4, 16), kernel::kRet, kernel::kNop, kAdd, kernel::kRet};
    const FactFinding found = look(table, words);
    EXPECT_EQ(found.value, Value::kYes);
    ASSERT_EQ(found.instructions.size(), 1u);
    EXPECT_EQ(found.instructions[0].place, "f+0x10");
}

TEST(LookUp, AnUnlistedSymbolByItsScaledLoadOnly) {
    const Words scaled = {kLoadScaled, kernel::kRet}, plain = {kLoadUnscaled, kernel::kRet};
    const Fact strict = fact(ReferenceFact{"table", false});
    const Fact lenient = fact(ReferenceFact{"table", true}, true);
    EXPECT_EQ(look(strict, scaled, false).value, Value::kUnknown);
    EXPECT_EQ(look(strict, scaled, false).reason, "/proc/kallsyms does not list table");
    EXPECT_EQ(look(lenient, scaled, false).value, Value::kYes);
    EXPECT_EQ(look(lenient, plain, false).value, Value::kNo);
    EXPECT_EQ(look(lenient, {kMaskInterrupts, kLoadScaled, kernel::kRet}, false).value, Value::kNo);
    // Where it is listed, somebody else's scaled load is none of it.
    EXPECT_EQ(look(lenient, scaled, true).value, Value::kNo);
}

TEST(LookUp, ARegisterBeforeALockIsTaken) {
    Fact read = fact(RegisterFact{Names{"tpidr_el1", "tpidr_el2"}}, true);
    EXPECT_EQ(look(read, {kReadOffset, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(read, {kReadOffsetEl2, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(read, {0xd5384100, kernel::kRet}).value, Value::kNo);  // sp_el0
    read.place.before_call = {"_raw_spin_lock*"};
    const std::map<std::string, Words> locks = {{"_raw_spin_lock_irqsave", {kernel::kRet}}};
    EXPECT_EQ(look(read, {call(0, 0), kReadOffset, kernel::kRet}, true, locks).value, Value::kNo);
    EXPECT_EQ(look(read, {kReadOffset, call(4, 0), kernel::kRet}, true, locks).value, Value::kYes);
}

TEST(LookUp, TlbOperationsByScopeAndRegister) {
    const Fact local = fact(TlbFact{{"vale1", "rvale1"}, false});
    const Fact broadcast = fact(TlbFact{{"vale1", "rvale1"}, true});
    EXPECT_EQ(look(local, {kernel::kFlushHere, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(broadcast, {kernel::kFlushHere, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(broadcast, {kernel::kFlush, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(broadcast, {0xd50881a0, kernel::kRet}).value, Value::kYes);  // vale1os
    EXPECT_EQ(look(broadcast, {kernel::kFlushAgain, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(broadcast, {kernel::kFlushProcess, kernel::kRet}).value, Value::kNo);
    EXPECT_EQ(look(broadcast, {kernel::kRet, kernel::kFlush}).value, Value::kNo);
}

TEST(LookUp, AFunctionThatBelongsToItIsLookedInto) {
    Fact local = fact(TlbFact{{"vale1"}, false});
    const std::map<std::string, Words> others = {
        {"__flush_tlb_page.isra.0", {kernel::kFlushHere, kernel::kRet}},
        {"other", {kernel::kFlushHere, kernel::kRet}}};
    const Words words = {call(0, 0), call(4, 1), kernel::kRet};
    EXPECT_EQ(look(local, words, true, others).value, Value::kNo);
    local.place.look_into = {"*flush_tlb*"};
    const FactFinding found = look(local, words, true, others);
    EXPECT_EQ(found.value, Value::kYes);
    ASSERT_EQ(found.instructions.size(), 1u);
    EXPECT_EQ(found.instructions[0].place, "__flush_tlb_page.isra.0");
    EXPECT_EQ(found.instructions[0].text, "tlbi vale1, x0");
}

TEST(LookUp, BarriersThatWait) {
    const Fact waits = fact(BarrierFact{kernel::BarrierDomain::kNonShareable});
    EXPECT_EQ(look(waits, {kernel::kDsbNsh, kernel::kRet}).value, Value::kYes);
    EXPECT_EQ(look(waits, {kernel::kDsbNshst, kernel::kDsbIsh, kernel::kRet}).value, Value::kNo);
}

TEST(LookUp, WaysRoundACall) {
    const Fact way = fact(WayFact{{}, {}, {"a"}});
    const Words always = {call(0, 0), kernel::kRet};
    const Words sometimes = {kernel::cbz(0, 8), call(4, 0), kernel::kRet};
    EXPECT_EQ(look(way, always, true, kOthers).value, Value::kNo);
    EXPECT_EQ(look(way, sometimes, true, kOthers).value, Value::kYes);
    // clang calls in its own place.
    Words own_place = {kernel::kNop, kernel::kNop, kernel::kNop, kernel::kNop, tail(16, 0)};
    EXPECT_EQ(look(way, own_place, true, kOthers).value, Value::kNo);
    own_place[0] = kernel::cbz(0, 20);
    own_place.push_back(tail(20, 1));
    EXPECT_EQ(look(way, own_place, true, kOthers).value, Value::kYes);
    // What is never called proves nothing by not being called.
    const FactFinding none = look(way, {call(0, 1), kernel::kRet}, true, kOthers);
    EXPECT_EQ(none.value, Value::kUnknown);
    EXPECT_EQ(none.reason, "f does not call a at all");
}

TEST(LookUp, WhatIsBehindATrapIsNotCertain) {
    constexpr std::uint32_t kBug = 0xd4210000;  // brk #0x800
    const Fact way = fact(WayFact{{}, {}, {"a"}});
    const Words behind = {kernel::cbz(0, 12), call(4, 0), kernel::kRet, kBug, kernel::kRet};
    EXPECT_EQ(look(way, behind, true, kOthers).value, Value::kUnknown);
    const Words before = {kernel::cbz(0, 8), call(4, 0), kernel::kRet, kBug, kernel::kRet};
    EXPECT_EQ(look(way, before, true, kOthers).value, Value::kYes);
    const Words neither = {kernel::cbz(0, 12), call(4, 0),  kernel::kRet, kBug,
                           call(16, 0),        kernel::kRet};
    EXPECT_EQ(look(way, neither, true, kOthers).value, Value::kNo);
    const Fact local = fact(TlbFact{{"vale1"}, false});
    EXPECT_EQ(look(local, {kBug, kernel::kFlushHere, kernel::kRet}).value, Value::kUnknown);
}

TEST(LookUp, ACallBehindAnother) {
    const Fact after = fact(WayFact{{"a"}, {"b"}, {}});
    EXPECT_EQ(look(after, {call(0, 0), call(4, 1), kernel::kRet}, true, kOthers).value,
              Value::kYes);
    EXPECT_EQ(look(after, {call(0, 1), call(4, 0), kernel::kRet}, true, kOthers).value, Value::kNo);
    EXPECT_EQ(look(after, {call(0, 1), kernel::kRet}, true, kOthers).value, Value::kUnknown);
}

TEST(LookUp, AColdPieceIsNotAReturn) {
    const std::map<std::string, Words> others = {{"a", {kernel::kRet}}, {"f.cold", {kernel::kRet}}};
    const Fact way = fact(WayFact{{}, {}, {"a"}});
    const Words words = {kernel::cbz(0, 16), call(4, 0), kernel::kNop, kernel::kRet, tail(16, 1)};
    const FactFinding found = look(way, words, true, others);
    EXPECT_EQ(found.value, Value::kUnknown);
    EXPECT_EQ(found.reason, "f+0x10 jumps to where its flow is not followed");
}

TEST(LookUp, TheOnlyCallerIsFound) {
    Fact way = fact(WayFact{{}, {"b"}, {"a"}});
    way.place.functions.clear();
    way.place.that_calls = "b";
    const FactFinding one = look(way, {call(0, 0), call(4, 1), kernel::kRet}, true, kOthers);
    EXPECT_EQ(one.value, Value::kNo);
    EXPECT_EQ(one.where, "f");
    const std::map<std::string, Words> two = {{"a", {kernel::kRet}},
                                              {"b", {kernel::kRet}},
                                              {"c", {kernel::bl(0, -0x1000), kernel::kRet}}};
    EXPECT_EQ(look(way, {call(0, 1), kernel::kRet}, true, two).reason,
              "2 functions call b here, not one");
}

TEST(Subject, OfTheRunningKernel) {
    kernel::LiveRoot live;
    live.add_mark(kHere, 'T', "_stext")
        .add_function("f", {kHere, Words(16, kernel::kNop)})
        .add_mark(kHere + 64, 'D', "behind_text")
        .add_mark(kTable, 'D', "table");
    const kernel::Root& root = live.get();
    const auto subject = read_running_kernel(root, {"table", "other"});
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->data, (std::map<std::string, std::uint64_t>{{"table", kTable}}));
    EXPECT_EQ(subject->kernel.text.begin, kHere);
    EXPECT_FALSE(subject->types);
    EXPECT_NE(subject->no_types.hint.find("CONFIG_DEBUG_INFO_BTF"), std::string::npos);
    const auto x86 = read_running_kernel(kernel::LiveRoot("x86_64").get(), {});
    ASSERT_FALSE(x86);
    EXPECT_EQ(x86.error().code, ExitCode::kCannotHere);
}

TEST(Subject, KnowsLivepatchedFunctions) {
    kernel::LiveRoot live;
    live.add_mark(kHere, 'T', "_stext").add_function("f", {kHere, Words(16, kernel::kNop)});
    const kernel::Root& root = live.get();
    std::filesystem::create_directories(root.at("/sys/kernel/livepatch/fix_1/vmlinux/f,1"));
    const auto subject = read_running_kernel(root, {});
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->livepatched, std::set<std::string>{"f"});
}

}  // namespace
}  // namespace kcost::patch
