// One instruction as text, for people who check evidence. Not for decisions: those take a64.h.
#pragma once

#include <cstdint>
#include <string>

namespace kcost::kernel {

/// "cbz w0, #0xffff800080010094"; ".inst 0x…" for what is no instruction.
std::string disassemble(std::uint32_t word, std::uint64_t address);

}  // namespace kcost::kernel
