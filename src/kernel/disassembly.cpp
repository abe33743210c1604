#include "kernel/disassembly.h"

#include <capstone/capstone.h>

#include <array>
#include <memory>

#include "kernel/a64.h"

namespace kcost::kernel {
namespace {

class Capstone {
public:
    Capstone() : open_(cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle_) == CS_ERR_OK) {}
    Capstone(const Capstone&) = delete;
    Capstone& operator=(const Capstone&) = delete;
    ~Capstone() {
        if (open_) cs_close(&handle_);
    }

    /// Empty for what it does not know.
    std::string text(std::uint32_t word, std::uint64_t address) const {
        std::array<std::uint8_t, 4> bytes;
        for (std::size_t i = 0; i < bytes.size(); i++) bytes[i] = word >> (8 * i) & 0xff;
        cs_insn* found = nullptr;
        const std::size_t count =
            open_ ? cs_disasm(handle_, bytes.data(), bytes.size(), address, 1, &found) : 0;
        if (count == 0) return "";
        const std::unique_ptr<cs_insn, void (*)(cs_insn*)> owner(
            found, [](cs_insn* it) { cs_free(it, 1); });
        const std::string operands = found->op_str;
        return found->mnemonic + (operands.empty() ? "" : " " + operands);
    }

private:
    csh handle_ = 0;
    bool open_;
};

}  // namespace

std::string disassemble(std::uint32_t word, std::uint64_t address) {
    // Of system instructions Debian 12's Capstone 4 does not know the newer ones, such as ranges.
    const A64Instruction own = decode_a64(word, address);
    const bool system = word >> 24 == 0xd5 && own.kind != A64Kind::kOther;
    const std::string text = system ? std::string() : Capstone().text(word, address);
    return text.empty() ? to_string(own) : text;
}

}  // namespace kcost::kernel
