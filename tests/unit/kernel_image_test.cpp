#include "kernel/kernel_image.h"

#include <gtest/gtest.h>

#include "kernel_image_fixture.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

class Files {
public:
    std::string put(const std::string& name, const std::string& bytes) {
        root_.put("/" + name, bytes);
        return root_.get().at("/" + name);
    }

private:
    TempRoot root_;
};

TEST(KernelImage, TextTypesAndRelease) {
    Files files;
    for (const bool lists_data : {true, false}) {
        ImageRecipe recipe;
        recipe.lists_data = lists_data;
        const auto image = read_kernel_image(files.put("Image", FakeImage(recipe).bytes()), "");
        ASSERT_TRUE(image) << image.error().what;
        EXPECT_EQ(image->release, "6.99.1-fake");
        EXPECT_EQ(image->base, FakeImage::kBase);
        const auto kernel = text_of(*image);
        ASSERT_TRUE(kernel) << kernel.error().what;
        EXPECT_EQ(kernel->text.begin, FakeImage::kBase + FakeImage::kText);
        EXPECT_EQ(kernel->text.word(kernel->text.begin + 4), FakeImage::kReturn);
        EXPECT_EQ(to_string(*kernel->symbols.resolve(kernel->text.begin + 4)), "function_1");
        const auto types = types_of(*image);
        ASSERT_TRUE(types) << types.error().what;
        EXPECT_EQ(types->has_member("uprobe_task", "ri_pool"), true);
    }
}

TEST(KernelImage, WithoutTypesThatIsSaid) {
    Files files;
    ImageRecipe recipe;
    recipe.has_types = false;
    const auto image = read_kernel_image(files.put("Image", FakeImage(recipe).bytes()), "");
    ASSERT_TRUE(image) << image.error().what;
    EXPECT_EQ(types_of(*image).error().code, ExitCode::kCannotHere);
}

TEST(KernelImage, AVmlinuxBringsItsSymbolsOrItsImages) {
    Files files;
    const std::string bytes = FakeImage({}).bytes();
    auto image = read_kernel_image(files.put("vmlinux", vmlinux(bytes)), "");
    ASSERT_TRUE(image) << image.error().what;
    EXPECT_EQ(image->symbols.size(), 3u);
    EXPECT_TRUE(text_of(*image));
    image = read_kernel_image(files.put("stripped", vmlinux(bytes, true)), "");
    ASSERT_TRUE(image) << image.error().what;
    EXPECT_GT(image->symbols.size(), 600u);
    EXPECT_EQ(address_of(*image, "function_2"), FakeImage::kBase + FakeImage::kText + 8);
}

TEST(KernelImage, TheSystemMapOfTheSameBuild) {
    Files files;
    const FakeImage fake({KallsymsLayout::kRelativeToPlace});
    std::string without = fake.bytes();
    without[fake.names_at()] ^= 1;
    const std::string path = files.put("Image", without);
    EXPECT_FALSE(read_kernel_image(path, ""));
    const auto image = read_kernel_image(path, files.put("System.map", fake.system_map()));
    ASSERT_TRUE(image) << image.error().what;
    EXPECT_EQ(image->base, FakeImage::kBase);
    EXPECT_EQ(address_of(*image, "function_2"), FakeImage::kBase + FakeImage::kText + 8);
}

TEST(KernelImage, TheSystemMapOfAnotherBuildIsRefused) {
    Files files;
    const std::string path = files.put("Image", FakeImage({}).bytes());
    ImageRecipe longer;
    longer.functions = 3000;
    auto image = read_kernel_image(path, files.put("other", FakeImage(longer).system_map()));
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().what.find("those of another kernel"), std::string::npos);
    image = read_kernel_image(path, files.put("text", "no map\n"));
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().what.find("not a System.map"), std::string::npos);
    image = read_kernel_image(path, files.put("half", "ffff800080010000 T _stext\n"));
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().what.find("_text"), std::string::npos);
}

TEST(KernelImage, TextThatIsNotInTheFileIsSaid) {
    Files files;
    const FakeImage fake({});
    const std::string path = files.put("Image", fake.bytes().substr(0, FakeImage::kText + 64));
    const auto image =
        read_kernel_image(path, files.put("map",
                                          "ffff800080000000 T _text\nffff800080010000 T _stext\n"
                                          "ffff800080011000 D _etext\n"));
    ASSERT_TRUE(image) << image.error().what;
    const auto kernel = text_of(*image);
    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().what.find("not in it whole"), std::string::npos);
}

TEST(KernelImage, FilesThatAreNone) {
    EXPECT_FALSE(read_kernel_image("/no/such/file", ""));
    EXPECT_FALSE(read_kernel_image("/", ""));
    EXPECT_FALSE(read_kernel_image("/dev/null", ""));
}

}  // namespace
}  // namespace kcost::kernel
