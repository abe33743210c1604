#include "kernel/elf_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "kernel/little_endian.h"

namespace kcost::kernel {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;
constexpr std::size_t kMostSymbols = 4'000'000;
constexpr std::size_t kLongestName = 512;  // the kernel's KSYM_NAME_LEN

tl::unexpected<Error> damaged(const std::string& cause) {
    return fail("it is a damaged ELF file: " + cause, "copy or fetch it again");
}

tl::unexpected<Error> not_arm64(const std::string& what) {
    return fail("it is " + what + ", not an arm64 kernel", "", ExitCode::kCannotHere);
}

std::string machine_name(unsigned machine) {
    switch (machine) {
        case EM_X86_64:
            return "x86-64";
        case EM_386:
            return "x86 of 32 bits";
        case EM_ARM:
            return "arm of 32 bits";
        case EM_RISCV:
            return "RISC-V";
        case EM_PPC64:
            return "PowerPC";
        case EM_S390:
            return "s390";
        case EM_LOONGARCH:
            return "LoongArch";
        default:
            return fmt::format("ELF machine {}", machine);
    }
}

/// A row of a table of structs; none where it does not lie in the file whole.
template <typename Row>
std::optional<Row> row(std::string_view bytes, std::uint64_t table, std::uint64_t index) {
    if (table > bytes.size()) return std::nullopt;
    const std::string_view part = part_of(bytes, table + index * sizeof(Row), sizeof(Row));
    if (part.empty()) return std::nullopt;
    Row copy;
    std::memcpy(&copy, part.data(), sizeof(copy));
    return copy;
}

Result<void> check(const Elf64_Ehdr& header) {
    // The machine stands at the same place in a file of 32 bits.
    if (header.e_machine != EM_AARCH64) {
        return not_arm64("an ELF file of " + machine_name(header.e_machine));
    }
    const bool wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    if (!wide || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return not_arm64("an ELF file of 32 bits, or big-endian");
    }
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        return not_arm64("a module or another object file");
    }
    if (header.e_phentsize != sizeof(Elf64_Phdr)) return damaged("its program headers");
    return {};
}

Result<void> load(std::string_view file, const Elf64_Ehdr& header, ElfImage& image) {
    std::vector<Elf64_Phdr> loads;
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
    for (std::size_t i = 0; i < header.e_phnum; i++) {
        const auto load = row<Elf64_Phdr>(file, header.e_phoff, i);
        if (!load) return damaged("its program headers lie outside of it");
        if (load->p_type != PT_LOAD || load->p_filesz == 0) continue;
        if (load->p_vaddr + load->p_filesz < load->p_vaddr) return damaged("a segment's address");
        loads.push_back(*load);
        begin = std::min(begin, load->p_vaddr);
        end = std::max(end, load->p_vaddr + load->p_filesz);
    }
    if (loads.empty()) return damaged("it loads nothing");
    if (end - begin > kMostBytes) return damaged("it is larger than any kernel");
    image.base = begin;
    image.bytes.resize(end - begin);
    for (const Elf64_Phdr& it : loads) {
        const std::string_view part = part_of(file, it.p_offset, it.p_filesz);
        if (part.empty()) return damaged("a segment lies outside of it: its end is missing");
        part.copy(image.bytes.data() + (it.p_vaddr - begin), part.size());
    }
    return {};
}

/// The letter that nm prints, as far as it matters here: text or not, global or not.
char type_of(const Elf64_Sym& symbol, bool text) {
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    if (binding == STB_WEAK) return text ? 'W' : 'V';
    const bool global = binding == STB_GLOBAL;
    if (text) return global ? 'T' : 't';
    return global ? 'D' : 'd';
}

std::optional<ListedSymbol> listed(std::string_view file, const Elf64_Ehdr& header,
                                   const Elf64_Sym& symbol, std::string_view names) {
    const unsigned kind = ELF64_ST_TYPE(symbol.st_info);
    if (kind == STT_FILE || kind == STT_SECTION || symbol.st_name >= names.size()) return {};
    // Those of no section, and numbers.
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) return {};
    const std::string_view rest = names.substr(symbol.st_name, kLongestName);
    const std::size_t end = rest.find('\0');
    const auto section = row<Elf64_Shdr>(file, header.e_shoff, symbol.st_shndx);
    if (!section || end == 0 || end == rest.npos) return {};
    const bool text = (section->sh_flags & SHF_EXECINSTR) != 0;
    return ListedSymbol{symbol.st_value, type_of(symbol, text), std::string(rest.substr(0, end))};
}

std::vector<ListedSymbol> symbols_of(std::string_view file, const Elf64_Ehdr& header) {
    std::vector<ListedSymbol> symbols;
    if (header.e_shentsize != sizeof(Elf64_Shdr)) return symbols;
    for (std::size_t i = 0; i < header.e_shnum; i++) {
        const auto table = row<Elf64_Shdr>(file, header.e_shoff, i);
        if (!table || table->sh_type != SHT_SYMTAB) continue;
        const auto strings = row<Elf64_Shdr>(file, header.e_shoff, table->sh_link);
        if (!strings) continue;
        const std::string_view names = part_of(file, strings->sh_offset, strings->sh_size);
        const std::size_t count =
            std::min<std::uint64_t>(table->sh_size / sizeof(Elf64_Sym), kMostSymbols);
        for (std::size_t j = 0; j < count; j++) {
            const auto symbol = row<Elf64_Sym>(file, table->sh_offset, j);
            if (!symbol) break;
            auto it = listed(file, header, *symbol, names);
            if (it) symbols.push_back(std::move(*it));
        }
        break;
    }
    const auto before = [](const auto& a, const auto& b) { return a.address < b.address; };
    std::stable_sort(symbols.begin(), symbols.end(), before);
    return symbols;
}

}  // namespace

bool is_elf(std::string_view bytes) { return bytes.starts_with(ELFMAG); }

Result<ElfImage> read_elf_image(std::string_view bytes) {
    const auto header = row<Elf64_Ehdr>(bytes, 0, 0);
    if (!header) return damaged("it is cut off");
    auto checked = check(*header);
    if (!checked) return tl::unexpected(checked.error());
    ElfImage image;
    auto loaded = load(bytes, *header, image);
    if (!loaded) return tl::unexpected(loaded.error());
    image.symbols = symbols_of(bytes, *header);
    return image;
}

}  // namespace kcost::kernel
