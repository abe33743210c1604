#include "kernel/elf_functions.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/fd.h"

namespace kcost::kernel {
namespace {

struct ElfDeleter {
    void operator()(Elf* elf) const { elf_end(elf); }
};

// With those that another file defines, where `imported` asks for them.
void add_names(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, bool imported,
               std::vector<std::string>& names) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (!data || header.sh_entsize == 0) return;
    std::size_t count = header.sh_size / header.sh_entsize;
    for (std::size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, static_cast<int>(i), &symbol)) return;
        bool here = symbol.st_shndx != SHN_UNDEF;
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC && (here || !imported)) continue;
        if (!here && !imported) continue;
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name && *name) names.emplace_back(name);
    }
}

Result<std::vector<std::string>> read_names(const std::string& path, bool imported) {
    // A pipe in its place would make open() wait for a writer.
    Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) return fail("cannot read " + path + ": " + std::strerror(errno));
    struct stat status;
    bool regular = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
    elf_version(EV_CURRENT);
    std::unique_ptr<Elf, ElfDeleter> elf(regular ? elf_begin(file.get(), ELF_C_READ_MMAP, nullptr)
                                                 : nullptr);
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return fail(path + " is not a program");
    std::vector<std::string> names;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) continue;
        bool symbols = header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM;
        if (symbols) add_names(elf.get(), section, header, imported, names);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace

Result<std::vector<std::string>> elf_functions(const std::string& path) {
    auto names = read_names(path, false);
    if (names && names->empty()) {
        return fail(path + " names no functions: its symbols were stripped",
                    "install its debug symbols, or use a build that is not stripped");
    }
    return names;
}

bool throws_exceptions(const std::string& path) {
    auto names = read_names(path, true);
    if (!names) return false;
    auto is_throw = [](const std::string& name) { return name.rfind("__cxa_throw", 0) == 0; };
    return std::any_of(names->begin(), names->end(), is_throw);
}

}  // namespace kcost::kernel
