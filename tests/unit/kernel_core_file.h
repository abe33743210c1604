// ELF core files such as the kernel's /proc/kcore, made in a test.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernel/live_text.h"

namespace kcost::kernel {

inline constexpr const char* kKcore = "/proc/kcore";

struct CoreSegment {
    std::uint64_t address;
    std::string bytes;
};

template <typename T>
std::string bytes_of(const T& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline Elf64_Ehdr elf_header(Elf64_Half type, Elf64_Half machine, std::size_t segments) {
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = type;
    header.e_machine = machine;
    header.e_phoff = sizeof(header);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<Elf64_Half>(segments);
    return header;
}

inline Elf64_Ehdr core_header(std::size_t segments) {
    return elf_header(ET_CORE, EM_AARCH64, segments);
}

inline Elf64_Phdr load_header(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset) {
    Elf64_Phdr header = {};
    header.p_type = PT_LOAD;
    header.p_vaddr = address;
    header.p_offset = offset;
    header.p_filesz = header.p_memsz = bytes;
    return header;
}

/// As the kernel makes it: a note, then one header for each range of memory.
inline std::string core_file(const std::vector<CoreSegment>& segments) {
    Elf64_Phdr note = {};
    note.p_type = PT_NOTE;
    std::string headers = bytes_of(core_header(segments.size() + 1)) + bytes_of(note);
    std::string memory;
    const std::size_t start = sizeof(Elf64_Ehdr) + (segments.size() + 1) * sizeof(Elf64_Phdr);
    for (const CoreSegment& it : segments) {
        headers += bytes_of(load_header(it.address, it.bytes.size(), start + memory.size()));
        memory += it.bytes;
    }
    return headers + memory;
}

inline CoreSegment segment_of(const TextRange& text) {
    CoreSegment segment{text.begin, ""};
    for (const std::uint32_t word : text.words) segment.bytes += bytes_of(word);
    return segment;
}

}  // namespace kcost::kernel
