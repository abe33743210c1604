// Kernel images made in a test: a header, text, the tables of kallsyms in each of their layouts,
// types and a banner; and the ways in which they are packed.
#pragma once

#include <elf.h>
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernel_btf_blob.h"
#include "kernel_core_file.h"

namespace kcost::kernel {

enum class KallsymsLayout { kBeforeNames, kBehindTokens, kRelativeToPlace };

struct ImageRecipe {
    KallsymsLayout layout = KallsymsLayout::kBehindTokens;
    bool lists_data = true;  ///< CONFIG_KALLSYMS_ALL
    bool base_by_relocation = false;
    bool has_types = true;
    bool order_behind_markers = false;  ///< kallsyms_seqs_of_names, the first like a marker
    std::size_t functions = 600;
};

class FakeImage {
public:
    static constexpr std::uint64_t kBase = 0xffff800080000000;
    static constexpr std::uint64_t kText = 0x10000;  ///< offset of _stext
    static constexpr std::uint32_t kReturn = 0xd65f03c0;

    explicit FakeImage(const ImageRecipe& recipe) : recipe_(recipe), bytes_(kText, '\0') {
        for (std::size_t i = 0; i < recipe.functions; i++) {
            list(i == 0 ? "T_stext" : "", bytes_.size());
            list(fmt::format("{}function_{}{}", i % 2 == 0 ? 'T' : 't', i,
                             i == 7 ? std::string(150, 'z') : ""),
                 bytes_.size());
            put(kReturn);
        }
        align(0x1000);
        const std::size_t text_end = bytes_.size();
        list("D_etext", text_end);
        if (recipe.lists_data) list("T_text", 0);
        banner();
        types();
        std::stable_sort(symbols_.begin(), symbols_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
        if (recipe.lists_data) list("B_end", kMemoryBytes);
        tables();
        header();
    }

    std::string bytes() const { return bytes_; }
    std::size_t names_at() const { return names_at_; }
    std::size_t offsets_at() const { return offsets_at_; }

    std::string system_map(std::uint64_t base = kBase) const {
        std::string lines;
        for (const auto& [name, offset] : symbols_) {
            lines += fmt::format("{:016x} {} {}\n", base + offset, name[0], name.substr(1));
        }
        return lines;
    }

private:
    static constexpr std::uint64_t kMemoryBytes = 0x200000;

    template <typename Number = std::uint32_t>
    void put(Number number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
    void align(std::size_t to) { bytes_.resize((bytes_.size() + to - 1) / to * to); }
    void list(const std::string& name, std::uint64_t offset) {
        if (!name.empty()) symbols_.emplace_back(name, offset);
    }

    void banner() {
        if (recipe_.lists_data) list("Dlinux_banner", bytes_.size());
        bytes_ += "Linux version 6.99.1-fake (somebody@somewhere)";
        align(8);
    }
    void types() {
        if (!recipe_.has_types) return;
        BtfBlob blob;
        blob.integer();
        blob.structure("uprobe_task", {"ri_pool"});
        if (recipe_.lists_data) list("R__start_BTF", bytes_.size());
        bytes_ += blob.bytes();
        if (recipe_.lists_data) list("R__stop_BTF", bytes_.size());
        align(8);
    }

    static std::string token(unsigned byte) {
        if (byte > 0x20 && byte < 0x7f) return std::string(1, static_cast<char>(byte));
        return byte == 0x80 ? "function_" : fmt::format("unused{}", byte);
    }
    static std::string packed(std::string name) {
        const std::size_t at = name.find("function_");
        if (at != name.npos) name.replace(at, 9, "\x80");
        const std::size_t length = name.size();
        if (length < 0x80) return static_cast<char>(length) + name;
        return std::string{static_cast<char>((length & 0x7f) | 0x80),
                           static_cast<char>(length >> 7)} +
               name;
    }

    void tables() {
        align(8);
        if (recipe_.layout == KallsymsLayout::kBeforeNames) offsets();
        names_at_ = bytes_.size();
        put<std::uint32_t>(static_cast<std::uint32_t>(symbols_.size()));
        align(8);
        std::vector<std::uint32_t> markers;
        const std::size_t begin = bytes_.size();
        for (std::size_t i = 0; i < symbols_.size(); i++) {
            if (i % 256 == 0) markers.push_back(static_cast<std::uint32_t>(bytes_.size() - begin));
            bytes_ += packed(symbols_[i].first);
        }
        align(8);
        for (const std::uint32_t marker : markers) put(marker);
        if (recipe_.order_behind_markers) {
            put(markers.back() + 1000);
            bytes_ += std::string(3 * symbols_.size(), '\x7f');
        }
        align(8);
        std::vector<std::uint16_t> index;
        const std::size_t tokens = bytes_.size();
        for (unsigned byte = 0; byte < 256; byte++) {
            index.push_back(static_cast<std::uint16_t>(bytes_.size() - tokens));
            bytes_ += token(byte) + '\0';
        }
        align(8);
        for (const std::uint16_t it : index) put(it);
        if (recipe_.layout != KallsymsLayout::kBeforeNames) offsets();
        align(0x1000);
    }

    void offsets() {
        align(8);
        offsets_at_ = bytes_.size();
        const std::uint64_t first = symbols_.front().second;
        for (const auto& symbol : symbols_) {
            const std::uint64_t from =
                recipe_.layout == KallsymsLayout::kRelativeToPlace ? bytes_.size() : first;
            put(static_cast<std::uint32_t>(symbol.second - from));
        }
        align(8);
        if (recipe_.layout == KallsymsLayout::kRelativeToPlace) return;
        const std::size_t place = bytes_.size();
        put<std::uint64_t>(recipe_.base_by_relocation ? 0 : kBase + first);
        if (!recipe_.base_by_relocation) return;
        // Before the tables would be as good; only the names must follow what is theirs at once.
        relocation_ = {kBase + place, 1027, kBase + first};
    }

    void header() {
        for (const std::uint64_t it : relocation_) put(it);
        bytes_.replace(0, 2, "MZ");
        const std::uint64_t memory_bytes = kMemoryBytes;
        bytes_.replace(16, 8, reinterpret_cast<const char*>(&memory_bytes), 8);
        bytes_.replace(56, 4, "ARM\x64");
    }

    ImageRecipe recipe_;
    std::string bytes_;
    std::vector<std::pair<std::string, std::uint64_t>> symbols_;
    std::vector<std::uint64_t> relocation_;
    std::size_t names_at_ = 0;
    std::size_t offsets_at_ = 0;
};

inline std::string gzipped(const std::string& bytes) {
    std::string packed(bytes.size() + 1024, '\0');
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::string zstd_packed(const std::string& bytes) {
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
    return packed;
}

/// An EFI program that unpacks the kernel itself; behind what is packed stands its size.
inline std::string zboot(const std::string& packed, const std::string& packing) {
    std::string program(0x400, '\0');
    const std::array<std::uint32_t, 2> where = {0x400, static_cast<std::uint32_t>(packed.size())};
    program.replace(0, 8, std::string("MZ\0\0zimg", 8));
    program.replace(8, 8, reinterpret_cast<const char*>(where.data()), 8);
    program.replace(24, packing.size(), packing);
    return program + packed + "size";
}

/// A vmlinux with an image's bytes as its only segment, and some of its symbols.
inline std::string vmlinux(const std::string& image, bool stripped = false,
                           Elf64_Half machine = EM_AARCH64) {
    const std::string names = std::string("\0_stext\0function_1\0_etext\0", 27);
    const auto symbol = [](std::uint32_t name, Elf64_Half section, std::uint64_t offset) {
        return Elf64_Sym{
            name, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, section, FakeImage::kBase + offset, 0};
    };
    const Elf64_Sym symbols[] = {symbol(19, 2, FakeImage::kText + 0x1000),
                                 symbol(8, 1, FakeImage::kText + 4),
                                 symbol(1, 1, FakeImage::kText)};
    Elf64_Ehdr header = elf_header(ET_DYN, machine, 1);
    header.e_shoff =
        sizeof(header) + sizeof(Elf64_Phdr) + image.size() + sizeof(symbols) + names.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = stripped ? 0 : 5;
    const Elf64_Phdr load =
        load_header(FakeImage::kBase, image.size(), sizeof(header) + sizeof(Elf64_Phdr));
    std::array<Elf64_Shdr, 5> sections{};
    sections[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    sections[2].sh_flags = SHF_ALLOC;
    sections[3].sh_type = SHT_SYMTAB;
    sections[3].sh_offset = load.p_offset + image.size();
    sections[3].sh_size = sizeof(symbols);
    sections[3].sh_link = 4;
    sections[4].sh_offset = sections[3].sh_offset + sizeof(symbols);
    sections[4].sh_size = names.size();
    return bytes_of(header) + bytes_of(load) + image + bytes_of(symbols) + names +
           bytes_of(sections);
}

}  // namespace kcost::kernel
