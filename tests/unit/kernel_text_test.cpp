#include "kernel/kernel_text.h"

#include <gtest/gtest.h>

#include "kernel_a64_words.h"
#include "kernel_live_root.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kHere = 0xffff800080010000;

TEST(KernelText, IsAllFromStextToTheData) {
    LiveRoot root;
    root.add_mark(kHere, 'T', "_stext")
        .add_function("f", {kHere, {kNop, kRet}})
        .add_function("g", {kHere + 8, {kRet}})
        .add_mark(kHere + 12, 'D', "_etext")
        .add_bytes(kHere + 12, std::string(4, 'x'));
    const auto text = read_kernel_text(root.get());
    ASSERT_TRUE(text) << text.error().what;
    EXPECT_EQ(text->text.begin, kHere);
    EXPECT_EQ(text->text.words, (std::vector<std::uint32_t>{kNop, kRet, kRet}));
    EXPECT_EQ(text->symbols.find("g").size(), 1u);
}

TEST(KernelText, ErrorsTellWhatIsMissing) {
    const auto error_of = [](const Root& root) {
        const auto text = read_kernel_text(root);
        return text ? "" : text.error().what;
    };
    LiveRoot other("x86_64");
    other.add_mark(kHere, 'T', "_stext").add_function("f", {kHere, {kRet}});
    EXPECT_EQ(error_of(other.get()),
              "kcost understands live kernel text of arm64 only, and this is x86_64");
    EXPECT_EQ(read_kernel_text(other.get()).error().code, ExitCode::kCannotHere);
    LiveRoot unmarked;
    unmarked.add_function("f", {kHere, {kRet}});
    EXPECT_EQ(error_of(unmarked.get()),
              "cannot read the kernel's text: /proc/kallsyms does not tell where it begins");
    LiveRoot hole;
    hole.add_mark(kHere, 'T', "_stext").add_function("f", {kHere + 4, {kRet}});
    EXPECT_NE(error_of(hole.get()).find("nothing is there now"), std::string::npos);
    TempRoot closed;
    closed.put("/proc/sys/kernel/arch", "aarch64\n")
        .put("/proc/kallsyms", "ffff800080010000 T _stext\nffff800080020000 D _etext\n");
    EXPECT_EQ(error_of(closed.get()),
              "cannot read live kernel text (/proc/kcore): it does not exist");
    closed.put("/proc/kallsyms", "0000000000000000 T _stext\n");
    EXPECT_NE(error_of(closed.get()).find("shows every address as zero"), std::string::npos);
}

TEST(ReadFlow, OfOneFunction) {
    LiveRoot root;
    root.add_function("f", {kHere, {cbz(0, 8), kRet, kNop, kRet}});
    const auto flow = read_flow(root.get(), kHere, kHere + 16);
    ASSERT_TRUE(flow) << flow.error().what;
    EXPECT_EQ(flow->instructions().size(), 4u);
    EXPECT_EQ(flow->exits().size(), 2u);
}

// What follows a call of __stack_chk_fail may look like code, and another call's is.
TEST(ReadFlow, EndsAtCallsThatDoNotReturn) {
    for (const std::string callee : {"__stack_chk_fail", "another"}) {
        LiveRoot root;
        root.add_function("f", {kHere, {cbz(0, 8), kRet, bl(8, 16), kRet}})
            .add_function(callee, {kHere + 16, {kUdf}});
        const auto flow = read_flow(root.get(), kHere, kHere + 16);
        ASSERT_TRUE(flow) << flow.error().what;
        EXPECT_EQ(flow->exits().size(), callee == "another" ? 2u : 1u) << callee;
    }
}

TEST(ReadFlow, WantsTheFunctionsEnd) {
    LiveRoot root;
    root.add_function("f", {kHere, {kRet}});
    for (const std::uint64_t end : {std::uint64_t{0}, kHere, kHere + (2 << 20)}) {
        const auto flow = read_flow(root.get(), kHere, end);
        ASSERT_FALSE(flow);
        EXPECT_EQ(flow.error().what, "cannot read a function's text: where it ends is not known");
        EXPECT_EQ(flow.error().code, ExitCode::kCannotHere);
    }
    EXPECT_FALSE(read_flow(root.get(), kHere, kHere + 8)) << "more than is there";
    LiveRoot other("riscv64");
    EXPECT_FALSE(read_flow(other.get(), kHere, kHere + 4));
}

}  // namespace
}  // namespace kcost::kernel
