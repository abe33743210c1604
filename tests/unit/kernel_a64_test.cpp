#include <gtest/gtest.h>

#include <random>

#include "kernel/a64.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

A64Instruction decode(std::uint32_t word) { return decode_a64(word, kHere); }

struct Case {
    std::uint32_t word;
    A64Kind kind;
    const char* text;
};

void expect_all(const std::vector<Case>& cases) {
    for (const Case& it : cases) {
        EXPECT_EQ(to_string(decode(it.word)), it.text);
        EXPECT_EQ(decode(it.word).kind, it.kind) << it.text;
    }
}

TEST(A64, Branches) {
    expect_all({
        {0x14000008, A64Kind::kBranch, "b 0xffff800080010020"},
        {0x17ffffff, A64Kind::kBranch, "b 0xffff80008000fffc"},
        {0x94353b23, A64Kind::kCall, "bl 0xffff800080d5ec8c"},
        {0x97fff63d, A64Kind::kCall, "bl 0xffff80008000d8f4"},
        {0x54ffffa3, A64Kind::kConditionalBranch, "b.cc 0xffff80008000fff4"},
        {0x54000052, A64Kind::kConditionalBranch, "bc.cs 0xffff800080010008"},
        {0x34000100, A64Kind::kConditionalBranch, "cbz w0, 0xffff800080010020"},
        {0xb5000b40, A64Kind::kConditionalBranch, "cbnz x0, 0xffff800080010168"},
        {0x36b00440, A64Kind::kConditionalBranch, "tbz w0, #22, 0xffff800080010088"},
        {0xb7ffffff, A64Kind::kConditionalBranch, "tbnz xzr, #63, 0xffff80008000fffc"},
    });
    EXPECT_EQ(decode(0x14000008).target, kHere + 32);
    EXPECT_EQ(decode(0x96000000).target, kHere - (1 << 27));
    EXPECT_EQ(decode(0x54800000).target, kHere - (1 << 20));
    EXPECT_EQ(decode(0x36040000).target, kHere - (1 << 15));
}

TEST(A64, BranchesToRegisters) {
    expect_all({
        {0xd61f0200, A64Kind::kIndirectBranch, "br x16"},
        {0xd71f0a11, A64Kind::kIndirectBranch, "braa x16"},
        {0xd63f0020, A64Kind::kIndirectCall, "blr x1"},
        {0xd63f0c3f, A64Kind::kIndirectCall, "blrab x1"},
        {0xd65f03c0, A64Kind::kReturn, "ret"},
        {0xd65f0120, A64Kind::kReturn, "ret x9"},
        {0xd65f0bff, A64Kind::kReturn, "retaa"},
        {0xd65f0fff, A64Kind::kReturn, "retab"},
        {0xd69f03e0, A64Kind::kExceptionReturn, "eret"},
        {0xd69f0bff, A64Kind::kExceptionReturn, "eretaa"},
    });
    EXPECT_EQ(decode(0xd61f0200).source, 16u);
    // drps, and op2 that is none.
    EXPECT_EQ(decode(0xd6bf03e0).kind, A64Kind::kOther);
    EXPECT_EQ(decode(0xd6000000).kind, A64Kind::kOther);
}

TEST(A64, Exceptions) {
    expect_all({
        {0xd4200080, A64Kind::kBreakpoint, "brk #0x4"},
        {0xd4210000, A64Kind::kBreakpoint, "brk #0x800"},
        {0x00000000, A64Kind::kUndefined, "udf #0"},
        {0x00001234, A64Kind::kUndefined, "udf #4660"},
        {0xd4000001, A64Kind::kOther, ".inst 0xd4000001"},  // svc
    });
    EXPECT_EQ(decode(0xd42000a0).immediate, 5u);
}

TEST(A64, AddressesAndLoads) {
    expect_all({
        {0x910003fd, A64Kind::kAddImmediate, "add x29, sp, #0x0"},
        {0x910143fd, A64Kind::kAddImmediate, "add x29, sp, #0x50"},
        {0x91400401, A64Kind::kAddImmediate, "add x1, x0, #0x1000"},
        {0xb0000001, A64Kind::kPageAddress, "adrp x1, 0xffff800080011000"},
        {0xf0ffffe1, A64Kind::kPageAddress, "adrp x1, 0xffff80008000f000"},
        {0xf942b422, A64Kind::kLoadImmediate, "ldr x2, [x1, #1384]"},
        {0xb9403300, A64Kind::kLoadImmediate, "ldr w0, [x24, #48]"},
        {0x3940cf01, A64Kind::kLoadImmediate, "ldrb w1, [x24, #51]"},
        {0x794003e0, A64Kind::kLoadImmediate, "ldrh w0, [sp, #0]"},
        {0xb9800020, A64Kind::kLoadImmediate, "ldrsw x0, [x1, #0]"},
        {0x39c00020, A64Kind::kLoadImmediate, "ldrsb w0, [x1, #0]"},
        {0xf8606861, A64Kind::kOther, ".inst 0xf8606861"},  // ldr x1, [x3, x0]
        {0xf8747aaa, A64Kind::kLoadScaled, "ldr x10, [x21, x20, lsl #3]"},
        {0xf8605841, A64Kind::kLoadScaled, "ldr x1, [x2, w0, uxtw #3]"},
        {0xf8e07861, A64Kind::kOther, ".inst 0xf8e07861"},
        {0xf9000020, A64Kind::kOther, ".inst 0xf9000020"},  // a store
        {0xf9800051, A64Kind::kOther, ".inst 0xf9800051"},  // prfm
        {0xfd400020, A64Kind::kOther, ".inst 0xfd400020"},  // of a vector register
    });
    const A64Instruction load = decode(0xb9403300);
    EXPECT_EQ(load.destination, 0u);
    EXPECT_EQ(load.source, 24u);
    EXPECT_EQ(load.immediate, 48u);
    EXPECT_EQ(load.access_bytes, 4u);
    EXPECT_EQ(decode(0xb0000001).target, kHere + 0x1000);
    // adrp is relative to the page of the instruction.
    EXPECT_EQ(decode_a64(0xb0000001, kHere + 0xffc).target, kHere + 0x1000);
}

TEST(A64, SystemRegisters) {
    expect_all({
        {0xd538d080, A64Kind::kReadSystem, "mrs x0, tpidr_el1"},
        {0xd53cd041, A64Kind::kReadSystem, "mrs x1, tpidr_el2"},
        {0xd5384101, A64Kind::kReadSystem, "mrs x1, sp_el0"},
        {0xd53b0023, A64Kind::kReadSystem, "mrs x3, ctr_el0"},
        {0xd5382057, A64Kind::kReadSystem, "mrs x23, s3_0_c2_c0_2"},
        {0xd5184600, A64Kind::kWriteSystem, "msr icc_pmr_el1, x0"},
        {0xd51b4236, A64Kind::kWriteSystem, "msr daif, x22"},
        {0xd50343df, A64Kind::kWriteSystem, "msr daifset, #0x3"},
        {0xd5034fff, A64Kind::kWriteSystem, "msr daifclr, #0xf"},
        {0xd500419f, A64Kind::kWriteSystem, "msr pan, #0x1"},
        {0xd500401f, A64Kind::kOther, ".inst 0xd500401f"},  // cfinv
    });
    EXPECT_EQ(decode(0xd538d082).system_register, 0xd538d082u >> 5 & 0xffff);
    EXPECT_EQ(decode(0xd538d082).destination, 2u);
}

TEST(A64, HintsAndBarriersThatAreNoDsb) {
    expect_all({
        {0xd503201f, A64Kind::kNop, "nop"},
        {0xd5033fdf, A64Kind::kIsb, "isb"},
        {0xd503245f, A64Kind::kOther, ".inst 0xd503245f"},  // bti c
        {0xd503233f, A64Kind::kOther, ".inst 0xd503233f"},  // paciasp
        {0xd5033bbf, A64Kind::kOther, ".inst 0xd5033bbf"},  // dmb ish
        {0xd503309f, A64Kind::kOther, ".inst 0xd503309f"},  // ssbb
        {0xd503349f, A64Kind::kOther, ".inst 0xd503349f"},  // pssbb
        {0xd50330ff, A64Kind::kOther, ".inst 0xd50330ff"},  // sb
    });
}

TEST(A64, DsbTellsDomainAndWhatItWaitsFor) {
    struct Row {
        std::uint32_t word;
        BarrierDomain domain;
        bool stores_only;
        const char* text;
    };
    const Row rows[] = {
        {0xd5033b9f, BarrierDomain::kInnerShareable, false, "dsb ish"},
        {0xd5033a9f, BarrierDomain::kInnerShareable, true, "dsb ishst"},
        {0xd503399f, BarrierDomain::kInnerShareable, true, "dsb ishld"},
        {0xd503379f, BarrierDomain::kNonShareable, false, "dsb nsh"},
        {0xd503369f, BarrierDomain::kNonShareable, true, "dsb nshst"},
        {0xd503339f, BarrierDomain::kOuterShareable, false, "dsb osh"},
        {0xd503329f, BarrierDomain::kOuterShareable, true, "dsb oshst"},
        {0xd5033f9f, BarrierDomain::kFullSystem, false, "dsb sy"},
        {0xd5033e9f, BarrierDomain::kFullSystem, true, "dsb st"},
        {0xd5033d9f, BarrierDomain::kFullSystem, true, "dsb ld"},
        {0xd503389f, BarrierDomain::kFullSystem, false, "dsb sy"},  // reserved
        {0xd503323f, BarrierDomain::kOuterShareable, false, "dsb oshnxs"},
        {0xd503363f, BarrierDomain::kNonShareable, false, "dsb nshnxs"},
        {0xd5033a3f, BarrierDomain::kInnerShareable, false, "dsb ishnxs"},
        {0xd5033e3f, BarrierDomain::kFullSystem, false, "dsb synxs"},
    };
    for (const Row& row : rows) {
        const A64Instruction dsb = decode(row.word);
        EXPECT_EQ(to_string(dsb), row.text);
        EXPECT_EQ(dsb.kind, A64Kind::kDsb) << row.text;
        EXPECT_EQ(dsb.domain, row.domain) << row.text;
        EXPECT_EQ(dsb.stores_only, row.stores_only) << row.text;
    }
}

TEST(A64, CacheMaintenance) {
    expect_all({
        {0xd50b7b22, A64Kind::kDataCache, "dc cvau, x2"},
        {0xd50b7e20, A64Kind::kDataCache, "dc civac, x0"},
        {0xd50b7a21, A64Kind::kDataCache, "dc cvac, x1"},
        {0xd5087620, A64Kind::kDataCache, "dc ivac, x0"},
        {0xd50b7428, A64Kind::kDataCache, "dc zva, x8"},
        {0xd50b7523, A64Kind::kInstructionCache, "ic ivau, x3"},
        {0xd508711f, A64Kind::kInstructionCache, "ic ialluis"},
        {0xd508751f, A64Kind::kInstructionCache, "ic iallu"},
        {0xd5087800, A64Kind::kOther, ".inst 0xd5087800"},  // at s1e1r
    });
    EXPECT_EQ(decode(0xd50b7b22).operation, "cvau");
    EXPECT_EQ(decode(0xd508711f).operation, "ialluis");
}

TEST(A64, TlbiNames) {
    const std::pair<std::uint32_t, const char*> rows[] = {
        {0xd50883a0, "tlbi vale1is, x0"},    {0xd50887a2, "tlbi vale1, x2"},
        {0xd50881a0, "tlbi vale1os, x0"},    {0xd50883bf, "tlbi vale1is, xzr"},
        {0xd50882a0, "tlbi rvale1is, x0"},   {0xd50886a7, "tlbi rvale1, x7"},
        {0xd5088340, "tlbi aside1is, x0"},   {0xd508871f, "tlbi vmalle1"},
        {0xd508831f, "tlbi vmalle1is"},      {0xd5088325, "tlbi vae1is, x5"},
        {0xd5088228, "tlbi rvae1is, x8"},    {0xd50883e0, "tlbi vaale1is, x0"},
        {0xd50882e2, "tlbi rvaale1is, x2"},  {0xd50c831f, "tlbi alle2is"},
        {0xd50c879f, "tlbi alle1"},          {0xd50c83df, "tlbi vmalls12e1is"},
        {0xd50c8020, "tlbi ipas2e1is, x0"},  {0xd50c84a0, "tlbi ipas2le1, x0"},
        {0xd50c8400, "tlbi ipas2e1os, x0"},  {0xd50c8440, "tlbi ripas2e1, x0"},
        {0xd50c87a0, "tlbi vale2, x0"},      {0xd50c86a0, "tlbi rvale2, x0"},
        {0xd50893a0, "tlbi vale1isnxs, x0"}, {0xd508971f, "tlbi vmalle1nxs"},
    };
    for (const auto& [word, text] : rows) {
        EXPECT_EQ(to_string(decode(word)), text);
        EXPECT_EQ(decode(word).kind, A64Kind::kTlbi) << text;
    }
}

TEST(A64, TlbiTellsWhatIsForgottenAndByWhom) {
    const TlbOperation page = *decode(0xd50883a0).tlb;
    EXPECT_EQ(page.name, "vale1");
    EXPECT_EQ(page.scope, TlbScope::kInnerShareable);
    EXPECT_TRUE(page.by_address && page.by_page && page.last_level && page.stage1_el1);
    EXPECT_FALSE(page.range);
    const TlbOperation range = *decode(0xd5088620).tlb;
    EXPECT_EQ(range.name, "rvae1");
    EXPECT_EQ(range.scope, TlbScope::kLocal);
    EXPECT_TRUE(range.by_address && range.range);
    EXPECT_FALSE(range.by_page || range.last_level);
    const TlbOperation process = *decode(0xd5088140).tlb;
    EXPECT_EQ(process.name, "aside1");
    EXPECT_EQ(process.scope, TlbScope::kOuterShareable);
    EXPECT_FALSE(process.by_address || process.by_page || process.range || process.last_level);
    const TlbOperation all = *decode(0xd508871f).tlb;
    EXPECT_FALSE(all.by_address || all.last_level);
    const TlbOperation guest = *decode(0xd50c84a0).tlb;
    EXPECT_EQ(guest.name, "ipas2le1");
    EXPECT_TRUE(guest.by_address && guest.last_level);
    EXPECT_FALSE(guest.stage1_el1 || guest.by_page || guest.range);
    EXPECT_EQ(decode(0xd50893a0).tlb->name, "vale1nxs");
}

// All of op0, op1, Cn, Cm and op2, with and without a register.
TEST(A64, QuickTestAgreesWithTheDecoder) {
    int found = 0;
    for (std::uint32_t fields = 0; fields < 1u << 17; ++fields) {
        for (const std::uint32_t rt : {0u, 31u}) {
            const std::uint32_t word = 0xd5000000 | fields << 5 | rt;
            const A64Instruction instruction = decode(word);
            const bool tlbi = instruction.kind == A64Kind::kTlbi;
            ASSERT_EQ(is_tlbi(word), tlbi) << std::hex << word;
            ASSERT_EQ(instruction.tlb.has_value(), tlbi) << std::hex << word;
            found += tlbi;
        }
    }
    // 30 for the kernel and its processes, 33 for a hypervisor; each with nXS, too.
    EXPECT_EQ(found, (30 + 33) * 2 * 2);
}

TEST(A64, AnyWordDecodesToSomeText) {
    std::mt19937 random(1);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint32_t word = static_cast<std::uint32_t>(random());
        const A64Instruction instruction = decode(word);
        ASSERT_EQ(instruction.word, word);
        ASSERT_FALSE(to_string(instruction).empty());
        ASSERT_EQ(is_tlbi(word), instruction.kind == A64Kind::kTlbi);
    }
}

}  // namespace
}  // namespace kcost::kernel
