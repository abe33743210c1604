#include <gtest/gtest.h>

#include "kernel_image_fixture.h"
#include "kernel_temp_root.h"
#include "patch/subject.h"

namespace kcost::patch {
namespace {

TEST(PatchImage, IsASubjectLikeTheRunningKernel) {
    kernel::TempRoot root;
    root.put("/Image", kernel::FakeImage({}).bytes());
    const std::string path = root.get().at("/Image");
    const auto subject = read_image(path, "", {"linux_banner", "no_such_symbol"});
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->asked.image, path);
    EXPECT_EQ(subject->asked.release, "6.99.1-fake");
    EXPECT_TRUE(subject->types);
    EXPECT_EQ(subject->data.count("linux_banner"), 1u);
    EXPECT_EQ(subject->data.count("no_such_symbol"), 0u);
}

TEST(PatchImage, WithoutTypesItGoesOn) {
    kernel::TempRoot root;
    kernel::ImageRecipe recipe;
    recipe.has_types = false;
    root.put("/Image", kernel::FakeImage(recipe).bytes());
    const auto subject = read_image(root.get().at("/Image"), "", {});
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_FALSE(subject->types);
    EXPECT_FALSE(subject->no_types.what.empty());
}

TEST(PatchImage, WhereNoTextIsLiveAFileIsHinted) {
    kernel::TempRoot root;
    root.put("/proc/sys/kernel/arch", "x86_64\n");
    const auto subject = read_running_kernel(root.get(), {});
    ASSERT_FALSE(subject);
    EXPECT_EQ(subject.error().code, ExitCode::kCannotHere);
    EXPECT_NE(subject.error().hint.find("--image FILE"), std::string::npos);
}

}  // namespace
}  // namespace kcost::patch
