#include "kernel/a64.h"

#include <fmt/format.h>

#include <utility>

#include "kernel/a64_system.h"

namespace kcost::kernel {
namespace {

/// A field of `bits` bits as a signed number.
std::uint64_t sign_extend(std::uint64_t value, unsigned bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

std::uint64_t branch_target(std::uint64_t address, std::uint64_t field, unsigned bits) {
    return address + 4 * sign_extend(field, bits);
}

struct Decoder {
    std::uint64_t address;
    A64Instruction instruction;

    bool matches(std::uint32_t mask, std::uint32_t value) const {
        return (instruction.word & mask) == value;
    }
    bool direct_branch();
    bool indirect_branch();
    bool exception();
    bool arithmetic();
    bool load();
};

// Arm ARM, section C4.1.65 "Branches, Exception Generating and System instructions".
bool Decoder::direct_branch() {
    const std::uint32_t word = instruction.word;
    if (matches(0x7c000000, 0x14000000)) {
        instruction.kind = word >> 31 ? A64Kind::kCall : A64Kind::kBranch;
        instruction.target = branch_target(address, word, 26);
        return true;
    }
    const bool compare = matches(0x7e000000, 0x34000000);
    const bool test = matches(0x7e000000, 0x36000000);
    if (!compare && !test && !matches(0xff000000, 0x54000000)) return false;
    instruction.kind = A64Kind::kConditionalBranch;
    instruction.target = branch_target(address, word >> 5, test ? 14 : 19);
    instruction.destination = compare || test ? word & 31 : 0;
    return true;
}

// With pointer authentication, too: bits 15 to 10 tell the key, bit 24 a modifier in a register.
bool Decoder::indirect_branch() {
    const std::uint32_t word = instruction.word;
    const unsigned key = word >> 10 & 63;
    if (!matches(0xfe1f0000, 0xd61f0000) || key == 1 || key > 3) return false;
    switch (word >> 21 & 15) {
        case 0:
        case 8:
            instruction.kind = A64Kind::kIndirectBranch;
            break;
        case 1:
        case 9:
            instruction.kind = A64Kind::kIndirectCall;
            break;
        case 2:
            instruction.kind = A64Kind::kReturn;
            break;
        case 4:
            instruction.kind = A64Kind::kExceptionReturn;
            break;
        default:
            return false;
    }
    instruction.source = word >> 5 & 31;
    return true;
}

bool Decoder::exception() {
    if (matches(0xffff0000, 0)) {
        instruction.kind = A64Kind::kUndefined;
        return true;
    }
    if (!matches(0xffe0001f, 0xd4200000)) return false;
    instruction.kind = A64Kind::kBreakpoint;
    instruction.immediate = instruction.word >> 5 & 0xffff;
    return true;
}

bool Decoder::arithmetic() {
    const std::uint32_t word = instruction.word;
    if (matches(0x9f000000, 0x90000000)) {
        instruction.kind = A64Kind::kPageAddress;
        const std::uint64_t pages = (word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);
        instruction.target = (address & ~std::uint64_t{0xfff}) + (sign_extend(pages, 21) << 12);
    } else if (matches(0xff800000, 0x91000000)) {
        instruction.kind = A64Kind::kAddImmediate;
        instruction.immediate = std::uint64_t{word >> 10 & 0xfff} << (word >> 22 & 1 ? 12 : 0);
        instruction.source = word >> 5 & 31;
    } else {
        return false;
    }
    instruction.destination = word & 31;
    return true;
}

// Of general registers; those of vectors are kOther.
bool Decoder::load() {
    const std::uint32_t word = instruction.word;
    const unsigned size = word >> 30;
    const unsigned opc = word >> 22 & 3;  // 0 stores, 1 loads, 2 and 3 load a signed number
    const bool loads = opc == 1 || (opc == 2 && size < 3) || (opc == 3 && size < 2);
    if (matches(0x3f000000, 0x39000000) && loads) {
        instruction.kind = A64Kind::kLoadImmediate;
        instruction.immediate = std::uint64_t{word >> 10 & 0xfff} << size;
        instruction.access_bytes = 1u << size;
    } else if (matches(0xffe05c00, 0xf8605800)) {  // S is set; option is uxtw, lsl, sxtw or sxtx
        instruction.kind = A64Kind::kLoadScaled;
        instruction.access_bytes = 8;
    } else {
        return false;
    }
    instruction.destination = word & 31;
    instruction.source = word >> 5 & 31;
    return true;
}

std::string address_text(std::uint64_t address) { return fmt::format("{:#x}", address); }

std::string stack_register(unsigned number) { return number == 31 ? "sp" : a64_register(number); }

std::string sized_register(unsigned number, bool wide) {
    std::string name = a64_register(number);
    if (!wide) name[0] = 'w';
    return number == 31 && !wide ? "wzr" : name;
}

std::string conditional_to_string(const A64Instruction& instruction) {
    constexpr const char* kConditions[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                           "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};
    const std::uint32_t word = instruction.word;
    const std::string target = address_text(instruction.target);
    if (word >> 24 == 0x54) {
        return fmt::format("{}.{} {}", word & 16 ? "bc" : "b", kConditions[word & 15], target);
    }
    const std::string tested = sized_register(instruction.destination, word >> 31);
    const char* not_zero = word >> 24 & 1 ? "n" : "";
    if ((word & 0x02000000) == 0) return fmt::format("cb{}z {}, {}", not_zero, tested, target);
    const unsigned bit = (word >> 31) << 5 | (word >> 19 & 31);
    return fmt::format("tb{}z {}, #{}, {}", not_zero, tested, bit, target);
}

std::string indirect_to_string(const A64Instruction& instruction) {
    constexpr const char* kKeys[] = {"", "", "aa", "ab"};
    const std::string key = kKeys[instruction.word >> 10 & 3];
    if (instruction.kind == A64Kind::kExceptionReturn) return "eret" + key;
    const bool link_register = instruction.source == 30 || !key.empty();
    if (instruction.kind == A64Kind::kReturn) {
        return "ret" + key + (link_register ? "" : " " + a64_register(instruction.source));
    }
    const char* name = instruction.kind == A64Kind::kIndirectCall ? "blr" : "br";
    return name + key + " " + a64_register(instruction.source);
}

std::string load_to_string(const A64Instruction& instruction) {
    const std::uint32_t word = instruction.word;
    const std::string base = stack_register(instruction.source);
    if (instruction.kind == A64Kind::kLoadScaled) {
        constexpr const char* kExtend[] = {"", "", "uxtw", "lsl", "", "", "sxtw", "sxtx"};
        const std::string index = sized_register(word >> 16 & 31, word >> 13 & 1);
        return fmt::format("ldr {}, [{}, {}, {} #3]", a64_register(instruction.destination), base,
                           index, kExtend[word >> 13 & 7]);
    }
    constexpr const char* kSizes[] = {"b", "h", "w", ""};
    const bool is_signed = word >> 23 & 1;
    const bool wide = is_signed ? !(word >> 22 & 1) : instruction.access_bytes == 8;
    const bool plain = !is_signed && instruction.access_bytes == 4;
    return fmt::format("ldr{}{} {}, [{}, #{}]", is_signed ? "s" : "",
                       plain ? "" : kSizes[word >> 30],
                       sized_register(instruction.destination, wide), base, instruction.immediate);
}

std::string arithmetic_to_string(const A64Instruction& instruction) {
    if (instruction.kind == A64Kind::kPageAddress) {
        return "adrp " + a64_register(instruction.destination) + ", " +
               address_text(instruction.target);
    }
    return fmt::format("add {}, {}, #{:#x}", stack_register(instruction.destination),
                       stack_register(instruction.source), instruction.immediate);
}

}  // namespace

std::string a64_register(unsigned number) {
    return number == 31 ? "xzr" : "x" + std::to_string(number);
}

A64Instruction decode_a64(std::uint32_t word, std::uint64_t address) {
    Decoder decoder{address, {}};
    decoder.instruction.word = word;
    if (word >> 24 == 0xd5) {
        decode_system(decoder.instruction);
        return std::move(decoder.instruction);
    }
    const bool known = decoder.direct_branch() || decoder.indirect_branch() ||
                       decoder.exception() || decoder.arithmetic() || decoder.load();
    static_cast<void>(known);
    return std::move(decoder.instruction);
}

std::string to_string(const A64Instruction& instruction) {
    switch (instruction.kind) {
        case A64Kind::kOther:
            return fmt::format(".inst {:#010x}", instruction.word);
        case A64Kind::kBranch:
            return "b " + address_text(instruction.target);
        case A64Kind::kCall:
            return "bl " + address_text(instruction.target);
        case A64Kind::kConditionalBranch:
            return conditional_to_string(instruction);
        case A64Kind::kIndirectBranch:
        case A64Kind::kIndirectCall:
        case A64Kind::kReturn:
        case A64Kind::kExceptionReturn:
            return indirect_to_string(instruction);
        case A64Kind::kBreakpoint:
            return fmt::format("brk #{:#x}", instruction.immediate);
        case A64Kind::kUndefined:
            return fmt::format("udf #{}", instruction.word);
        case A64Kind::kPageAddress:
        case A64Kind::kAddImmediate:
            return arithmetic_to_string(instruction);
        case A64Kind::kLoadImmediate:
        case A64Kind::kLoadScaled:
            return load_to_string(instruction);
        default:
            return system_to_string(instruction);
    }
}

}  // namespace kcost::kernel
