#include <gtest/gtest.h>

#include "kernel/disassembly.h"

namespace kcost::kernel {
namespace {

TEST(Disassembly, WhatIsSeenInEvidence) {
    constexpr std::uint64_t kHere = 0xffff800080010000;
    EXPECT_EQ(disassemble(0x34000100, kHere), "cbz w0, #0xffff800080010020");
    EXPECT_EQ(disassemble(0xf8747aaa, kHere), "ldr x10, [x21, x20, lsl #3]");
    EXPECT_EQ(disassemble(0xd65f03c0, kHere), "ret");
    EXPECT_EQ(disassemble(0xa9bf7bfd, kHere), "stp x29, x30, [sp, #-0x10]!");
    EXPECT_EQ(disassemble(0xd50883a0, kHere), "tlbi vale1is, x0");
    EXPECT_EQ(disassemble(0xd50886a7, kHere), "tlbi rvale1, x7");
    EXPECT_EQ(disassemble(0xd503379f, kHere), "dsb nsh");
    EXPECT_EQ(disassemble(0xd538d080, kHere), "mrs x0, tpidr_el1");
    EXPECT_EQ(disassemble(0x00000000, kHere), "udf #0");
    EXPECT_EQ(disassemble(0xffffffff, kHere), ".inst 0xffffffff");
}

}  // namespace
}  // namespace kcost::kernel
