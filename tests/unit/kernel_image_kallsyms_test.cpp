#include <gtest/gtest.h>

#include "kernel/image_kallsyms.h"
#include "kernel_image_fixture.h"

namespace kcost::kernel {
namespace {

const ListedSymbol* find(const ImageKallsyms& kallsyms, const std::string& name) {
    for (const ListedSymbol& it : kallsyms.symbols) {
        if (it.name == name) return &it;
    }
    return nullptr;
}

void expect_symbols(const FakeImage& image, std::uint64_t base) {
    const auto found = read_image_kallsyms(image.bytes());
    ASSERT_TRUE(found) << found.error().what;
    EXPECT_EQ(found->base, base);
    for (const std::size_t i : {std::size_t{0}, std::size_t{255}, std::size_t{599}}) {
        const ListedSymbol* symbol = find(*found, fmt::format("function_{}", i));
        ASSERT_NE(symbol, nullptr) << i;
        EXPECT_EQ(symbol->address, base + FakeImage::kText + 4 * i);
        EXPECT_EQ(symbol->type, i % 2 == 0 ? 'T' : 't');
    }
    EXPECT_NE(find(*found, "function_7" + std::string(150, 'z')), nullptr);
}

TEST(ImageKallsyms, BeforeTheNamesAsUpTo63) {
    expect_symbols(FakeImage({KallsymsLayout::kBeforeNames}), FakeImage::kBase);
}

TEST(ImageKallsyms, TheOrderOfTheNamesMayStandBehindTheMarkers) {
    ImageRecipe recipe;
    recipe.layout = KallsymsLayout::kBeforeNames;
    recipe.order_behind_markers = true;
    expect_symbols(FakeImage(recipe), FakeImage::kBase);
}

TEST(ImageKallsyms, BehindTheTokensAsSince64) {
    expect_symbols(FakeImage({KallsymsLayout::kBehindTokens}), FakeImage::kBase);
}

TEST(ImageKallsyms, RelativeToTheirPlaceAsSince70) {
    expect_symbols(FakeImage({KallsymsLayout::kRelativeToPlace}), 0);
    expect_symbols(FakeImage({KallsymsLayout::kRelativeToPlace, false}), 0);
}

TEST(ImageKallsyms, WithoutDataTheBaseTellsWhereTheImageBegins) {
    expect_symbols(FakeImage({KallsymsLayout::kBehindTokens, false}), FakeImage::kBase);
}

TEST(ImageKallsyms, TheBaseMayBeInARelocationOnly) {
    for (const auto layout : {KallsymsLayout::kBeforeNames, KallsymsLayout::kBehindTokens}) {
        expect_symbols(FakeImage({layout, false, true}), FakeImage::kBase);
        expect_symbols(FakeImage({layout, true, true}), FakeImage::kBase);
    }
}

TEST(ImageKallsyms, WithoutTablesItSaysWhatHelps) {
    const auto none = read_image_kallsyms(std::string(0x20000, '\0'));
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().what.find("no tables of kallsyms"), std::string::npos);
    EXPECT_NE(none.error().hint.find("--symbols FILE"), std::string::npos);
    EXPECT_FALSE(read_image_kallsyms(""));
}

TEST(ImageKallsyms, AMarkerThatIsNotTrueIsNoTable) {
    const FakeImage image({});
    for (const std::size_t at : {image.names_at(), image.names_at() + 8}) {
        std::string bytes = image.bytes();
        bytes[at] ^= 1;
        EXPECT_FALSE(read_image_kallsyms(bytes)) << at - image.names_at();
    }
}

TEST(ImageKallsyms, AddressesThatFallAreNone) {
    const FakeImage image({});
    std::string bytes = image.bytes();
    bytes[image.offsets_at() + 4 * 100 + 3] = '\x70';
    const auto found = read_image_kallsyms(bytes);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().what.find("no addresses go with the names"), std::string::npos);
}

TEST(ImageKallsyms, CutAnywhereItEnds) {
    for (const auto layout : {KallsymsLayout::kBeforeNames, KallsymsLayout::kBehindTokens,
                              KallsymsLayout::kRelativeToPlace}) {
        const FakeImage image({layout});
        const std::size_t begin = std::min(image.names_at(), image.offsets_at());
        for (std::size_t size = begin; size < image.bytes().size() - 0x1000; size += 97) {
            EXPECT_FALSE(read_image_kallsyms(image.bytes().substr(0, size))) << size;
        }
    }
}

}  // namespace
}  // namespace kcost::kernel
