#include <gtest/gtest.h>

#include <random>

#include "kernel/btf.h"
#include "kernel_btf_blob.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

std::string sample() {
    BtfBlob blob;
    blob.integer();
    const std::uint32_t inner = blob.structure("", {"inner_member"});
    blob.structure("uprobe_task", {"depth", "ri_pool", ""}, inner);
    blob.structure("empty", {});
    const std::uint32_t prototype =
        blob.type(13, "", 2, 1, {blob.name("vma"), 1, blob.name("dirty"), 1});
    blob.type(12, "set_flags", 1, prototype);
    blob.type(10, "", 0, 1);                 // const
    blob.type(19, "wide", 1, 8, {0, 0, 0});  // enum of 64 bits
    blob.structure("behind_all", {"last"});
    return blob.bytes();
}

TEST(Btf, TellsMembersAndParameters) {
    const auto btf = Btf::parse(sample());
    ASSERT_TRUE(btf) << btf.error().what;
    EXPECT_EQ(btf->types(), 9u);
    EXPECT_EQ(btf->has_member("uprobe_task", "ri_pool"), true);
    EXPECT_EQ(btf->has_member("uprobe_task", "frame"), false);
    EXPECT_EQ(btf->has_member("uprobe_task", "inner_member"), true);
    EXPECT_EQ(btf->has_member("empty", "ri_pool"), false);
    EXPECT_EQ(btf->has_member("missing", "ri_pool"), std::nullopt);
    EXPECT_EQ(btf->has_member("behind_all", "last"), true);
    EXPECT_EQ(btf->has_parameter("set_flags", "dirty"), true);
    EXPECT_EQ(btf->has_parameter("set_flags", "pte"), false);
    EXPECT_EQ(btf->has_parameter("missing", "dirty"), std::nullopt);
}

TEST(Btf, AStructWithinItselfEnds) {
    BtfBlob blob;
    blob.integer();
    blob.structure("loop", {"", ""}, 2);
    const auto btf = Btf::parse(blob.bytes());
    ASSERT_TRUE(btf);
    EXPECT_EQ(btf->has_member("loop", "x"), false);
}

TEST(Btf, CutOffAnywhereIsAnErrorOrStillInside) {
    const std::string whole = sample();
    for (std::size_t size = 0; size < whole.size(); size++) {
        EXPECT_FALSE(Btf::parse(whole.substr(0, size))) << size;
    }
}

TEST(Btf, AnyByteMayBeWrong) {
    std::mt19937 random(4);
    for (int round = 0; round < 20000; round++) {
        std::string bytes = sample();
        for (int change = 0; change < 3; change++)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto btf = Btf::parse(std::move(bytes));
        if (!btf) continue;
        btf->has_member("uprobe_task", "nothing");
        btf->has_parameter("set_flags", "nothing");
    }
}

TEST(Btf, SaysWhatIsWrong) {
    std::string bytes = sample();
    bytes[0] = 0;
    EXPECT_EQ(Btf::parse(bytes).error().what,
              "cannot read the kernel's type information: it is not little-endian BTF");
    BtfBlob blob;
    blob.type(30, "new", 0, 0);
    EXPECT_EQ(Btf::parse(blob.bytes()).error().what,
              "cannot read the kernel's type information: type 1 is of the unknown kind 30");
}

TEST(Btf, WithoutTheFileTheOptionIsNamed) {
    TempRoot root;
    const auto btf = Btf::read(root.get());
    ASSERT_FALSE(btf);
    EXPECT_EQ(btf.error().code, ExitCode::kCannotHere);
    EXPECT_NE(btf.error().hint.find("CONFIG_DEBUG_INFO_BTF"), std::string::npos);
    root.put("/sys/kernel/btf/vmlinux", sample());
    EXPECT_TRUE(Btf::read(root.get()));
}

}  // namespace
}  // namespace kcost::kernel
