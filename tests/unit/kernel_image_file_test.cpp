#include <gtest/gtest.h>

#include "kernel/image_file.h"
#include "kernel/unpack.h"
#include "kernel_image_fixture.h"

namespace kcost::kernel {
namespace {

const std::string& image() {
    static const std::string bytes = FakeImage({}).bytes();
    return bytes;
}

std::string error_of(const std::string& file, ExitCode code) {
    const auto read = read_image_file(file);
    if (read) return "none";
    EXPECT_EQ(read.error().code, code) << read.error().what;
    return read.error().what + "; " + read.error().hint;
}

void expect_says(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ImageFile, RawAndPackedInEveryWayIsTheSame) {
    const std::string gzip = gzipped(image()), zstd = zstd_packed(image());
    for (const std::string& file : {image(), gzip, zstd, zboot(gzip, "gzip"), zboot(zstd, "zstd22"),
                                    gzipped(zboot(gzip, "gzip"))}) {
        const auto read = read_image_file(file);
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_TRUE(read->bytes == image());
        EXPECT_EQ(read->base, 0u);
    }
    EXPECT_EQ(memory_bytes_of(image()), 0x200000u);
    EXPECT_EQ(memory_bytes_of("MZ"), 0u);
}

TEST(ImageFile, CutOffIsSaid) {
    const std::string gzip = gzipped(image()), zstd = zstd_packed(image());
    const auto half = [](const std::string& it) { return it.substr(0, it.size() / 2); };
    expect_says(error_of(half(gzip), ExitCode::kFailed), "its gzip data is cut off");
    expect_says(error_of(half(zstd), ExitCode::kFailed), "its zstd data is cut off");
    expect_says(error_of(half(zboot(gzip, "gzip")), ExitCode::kFailed), "its end is missing");
    expect_says(error_of(half(vmlinux(image())), ExitCode::kFailed), "its end is missing");
}

// A kernel with an EFI header: two sections, the second to the end.
std::string with_efi_header(std::string image) {
    const auto put = [&](std::size_t at, std::uint32_t value, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; i++) image[at + i] = static_cast<char>(value >> 8 * i);
    };
    constexpr std::size_t kHeader = 64, kSections = kHeader + 24 + 16;
    put(0x3c, kHeader, 4);
    image.replace(kHeader, 4, std::string("PE\0\0", 4));
    put(kHeader + 6, 2, 2);
    put(kHeader + 20, 16, 2);
    put(kSections + 16, 0x1000, 4);
    put(kSections + 20, 0x1000, 4);
    put(kSections + 40 + 16, static_cast<std::uint32_t>(image.size()) - 0x2000, 4);
    put(kSections + 40 + 20, 0x2000, 4);
    return image;
}

TEST(ImageFile, CutOffIsSaidOfARawOneWithAnEfiHeader) {
    const std::string whole = with_efi_header(image());
    EXPECT_TRUE(read_image_file(whole));
    EXPECT_TRUE(read_image_file(whole + "signature"));
    const std::string cut = whole.substr(0, whole.size() - 1);
    expect_says(error_of(cut, ExitCode::kFailed),
                fmt::format("its end is missing: it has {} of {} bytes", cut.size(), whole.size()));
    expect_says(error_of("", ExitCode::kCannotHere), "it is empty, not an arm64 kernel");
}

TEST(ImageFile, DamageIsSaid) {
    std::string gzip = gzipped(image());
    gzip[gzip.size() / 2] ^= 0x55;
    expect_says(error_of(gzip, ExitCode::kFailed), "its gzip data is damaged");
    std::string zstd = zstd_packed(image());
    zstd[8] ^= 0x55;
    zstd[zstd.size() / 2] ^= 0x55;
    expect_says(error_of(zstd, ExitCode::kFailed), "its zstd data is");
}

TEST(ImageFile, WhatKcostDoesNotUnpackIsNamedWithWhatDoes) {
    const std::string xz("\xfd\x37zXZ\0data", 10);
    expect_says(error_of(xz, ExitCode::kFailed), "unpack it first: xz -dc");
    expect_says(error_of(zboot(xz, "xzkern"), ExitCode::kFailed), "packed by xz");
    expect_says(error_of(zboot("what", "strange"), ExitCode::kFailed), "'strange'");
}

TEST(ImageFile, WhatIsNoArm64KernelIsNamed) {
    std::string efi(0x100, '\0');
    efi.replace(0, 2, "MZ");
    efi[0x3c] = 0x40;
    efi.replace(0x40, 6, std::string("PE\0\0\x64\x86", 6));
    expect_says(error_of(efi, ExitCode::kCannotHere), "EFI program of x86-64");
    expect_says(error_of(vmlinux(image(), false, EM_X86_64), ExitCode::kCannotHere),
                "ELF file of x86-64");
    expect_says(error_of("#!/bin/sh\n", ExitCode::kCannotHere), "not an arm64 kernel");
    expect_says(error_of("", ExitCode::kCannotHere), "not an arm64 kernel");
    std::string many = "MZ";
    for (int i = 0; i < 6; i++) many = gzipped(many);
    expect_says(error_of(many, ExitCode::kCannotHere), "packed again and again");
}

TEST(ImageFile, FewBytesDoNotUnpackIntoAllMemory) {
    // 600 MB of zeros: a step further than any kernel.
    std::string zeros(600 << 20, '\0');
    const std::string bomb = zstd_packed(zeros);
    zeros = {};
    EXPECT_LT(bomb.size(), 100'000u);
    expect_says(error_of(bomb, ExitCode::kFailed), "more than any kernel has");
}

TEST(ElfImage, SegmentsAndSymbols) {
    const auto read = read_image_file(vmlinux(image()));
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_TRUE(read->bytes == image());
    EXPECT_EQ(read->base, FakeImage::kBase);
    ASSERT_EQ(read->symbols.size(), 3u);
    EXPECT_EQ(read->symbols[0].name, "_stext");
    EXPECT_EQ(read->symbols[0].type, 'T');
    EXPECT_EQ(read->symbols[1].address, FakeImage::kBase + FakeImage::kText + 4);
    EXPECT_EQ(read->symbols[2].type, 'D');
    EXPECT_TRUE(read_image_file(vmlinux(image(), true))->symbols.empty());
}

TEST(ElfImage, HostileHeadersEnd) {
    const std::string whole = vmlinux(FakeImage({}).bytes().substr(0, 256));
    for (std::size_t at = 4; at < whole.size(); at++) {
        for (const char value : {'\x7f', '\xff'}) {
            std::string bytes = whole;
            bytes[at] = value;
            static_cast<void>(read_image_file(bytes));
        }
        static_cast<void>(read_image_file(whole.substr(0, at)));
    }
}

}  // namespace
}  // namespace kcost::kernel
