#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel/a64.h"
#include "kernel_a64_words.h"

namespace kcost::kernel {
namespace {

TEST(StackPointer, ChangesByArithmeticAndAccesses) {
    const std::pair<std::uint32_t, std::int64_t> cases[] = {
        {0xd10083ff, -32},    // sub sp, sp, #32
        {0x910083ff, 32},     // add sp, sp, #32
        {0xd14007ff, -4096},  // sub sp, sp, #1, lsl #12
        {0x917fffff, 4095 << 12},
        {kPush, -16},
        {kPop, 16},
        {0xa9bb7bfd, -80},   // stp x29, x30, [sp, #-80]!
        {0xa8bf7bfd, -16},   // stp x29, x30, [sp], #-16
        {0xa9c17bfd, 16},    // ldp x29, x30, [sp, #16]!
        {0xf81f0ff3, -16},   // str x19, [sp, #-16]!
        {0xf84107f3, 16},    // ldr x19, [sp], #16
        {0xf80087f3, 8},     // str x19, [sp], #8
        {0xf8500ff3, -256},  // ldr x19, [sp, #-256]!
        {0xa9017bfd, 0},     // stp x29, x30, [sp, #16]
        {0xf9000bf3, 0},     // str x19, [sp, #16]
        {0xf81f83f3, 0},     // stur x19, [sp, #-8]
        {0x910083fd, 0},     // add x29, sp, #32
        {0xd10083e0, 0},     // sub x0, sp, #32
        {0xa9bf0400, 0},     // stp x0, x1, [x0, #-16]!
        {0xf8408400, 0},     // ldr x0, [x0], #8
        {0x91000400, 0},     // add x0, x0, #1
        {kNop, 0},
        {kUdf, 0},
    };
    for (const auto& [word, change] : cases) {
        EXPECT_EQ(stack_pointer_change(word), change) << fmt::format("{:#x}", word);
    }
}

}  // namespace
}  // namespace kcost::kernel
