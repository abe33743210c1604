#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel/a64.h"
#include "kernel_a64_words.h"

namespace kcost::kernel {
namespace {

TEST(A64Kprobe, TakesWhatIsSteppedOverOrImitated) {
    for (const std::uint32_t word :
         {kNop, kRet, kPush, kPop, kFrame, kMove, kIsb, kDsbIsh, kFlush, b(0, 8), bl(0, 8),
          cbz(0, 8), 0xd503233fu /* paciasp */, 0xd503245fu /* bti c */, 0xf9400041u /* ldr */,
          0xd61f0200u /* br x16 */, 0x90000001u /* adrp */}) {
        EXPECT_TRUE(may_take_kprobe(word)) << fmt::format("{:#x}", word);
    }
}

TEST(A64Kprobe, TakesNoneOfTheseKinds) {
    const std::pair<std::uint32_t, const char*> cases[] = {
        {0xd50323bf, "autiasp"},
        {0xd50323ff, "autibsp"},
        {0xd503219f, "autia1716"},
        {0xd5184600, "msr icc_pmr_el1, x0"},
        {0xd538d080, "mrs x0, tpidr_el1"},
        {0xd53b4220, "mrs x0, daif"},
        {0xd50342df, "msr daifset, #2"},
        {0xd50342ff, "msr daifclr, #2"},
        {0xd4000001, "svc #0"},
        {0xd4210000, "brk #0x800"},
        {kKprobe, "brk #4"},
        {0xd69f03e0, "eret"},
        {0x885f7c01, "ldxr w1, [x0]"},
        {0xc8027c01, "stxr w2, x1, [x0]"},
        {0xc85ffc01, "ldaxr x1, [x0]"},
        {kUdf, "udf #0"},
    };
    for (const auto& [word, text] : cases) EXPECT_FALSE(may_take_kprobe(word)) << text;
}

}  // namespace
}  // namespace kcost::kernel
