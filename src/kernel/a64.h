// The few A64 instructions that kcost must understand, decoded from their words (Arm ARM, section
// C4 "A64 instruction set encoding"). Whatever is not named here is kOther and falls through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kcost::kernel {

enum class A64Kind {
    kOther,
    kNop,
    kBranch,             ///< b
    kCall,               ///< bl
    kConditionalBranch,  ///< b.cond, bc.cond, cbz, cbnz, tbz, tbnz
    kIndirectBranch,     ///< br, braa and the like: where to is not in the text
    kIndirectCall,       ///< blr, blraa and the like
    kReturn,             ///< ret, retaa, retab
    kExceptionReturn,    ///< eret, eretaa, eretab
    kBreakpoint,         ///< brk: immediate 4 and 5 are kprobes'
    kUndefined,          ///< udf
    kTlbi,
    kDataCache,         ///< dc
    kInstructionCache,  ///< ic
    kDsb,
    kIsb,
    kReadSystem,     ///< mrs
    kWriteSystem,    ///< msr, register or immediate form
    kPageAddress,    ///< adrp
    kAddImmediate,   ///< add Xd, Xn, #imm
    kLoadImmediate,  ///< ldr, ldrb, ldrh, ldrsw and the like with an unsigned offset
    kLoadScaled,     ///< ldr Xt, [Xn, Xm|Wm, EXTEND #3]
};

/// Who must have forgotten a translation once the operation and its barrier are done.
enum class TlbScope { kLocal, kInnerShareable, kOuterShareable };

struct TlbOperation {
    std::string name;  ///< lower case without the scope: "vale1", "rvae1", "aside1", "vmalle1", …
    TlbScope scope = TlbScope::kLocal;
    bool by_address = false;  ///< of a page or range, told by its register
    bool range = false;
    bool by_page = false;     ///< of one page: v*, not range, aside or *alle*
    bool last_level = false;  ///< "l" forms
    bool stage1_el1 = false;  ///< translations of the kernel and its processes (op1 == 0)
};

enum class BarrierDomain { kOuterShareable, kNonShareable, kInnerShareable, kFullSystem };

struct A64Instruction {
    A64Kind kind = A64Kind::kOther;
    std::uint32_t word = 0;
    std::uint64_t target = 0;           ///< of direct branches and calls; of adrp the page
    unsigned destination = 0;           ///< Rd or Rt, 31 xzr or sp
    unsigned source = 0;                ///< Rn
    std::uint64_t immediate = 0;        ///< of brk, add and loads (scaled to bytes)
    unsigned access_bytes = 0;          ///< of loads
    std::uint32_t system_register = 0;  ///< of mrs and msr: bits 20 to 5 of the word
    BarrierDomain domain = BarrierDomain::kFullSystem;
    bool stores_only = false;  ///< of dsb: ishst, nshst, …: it does not wait for TLB maintenance
    std::optional<TlbOperation> tlb;
    std::string operation;  ///< of dc and ic: "cvau", "civac", "ivau", "ialluis", …; else empty
};

/// `address`: where the word is, for what is relative to it.
A64Instruction decode_a64(std::uint32_t word, std::uint64_t address);

/// True of the name of a TLBI without its scope, as TlbOperation has it.
bool is_tlb_operation(std::string_view name);

/// For people: "tlbi vale1is, x0", "dsb ish", "b 0xffff…", ".inst 0x…" for what is not decoded.
std::string to_string(const A64Instruction& instruction);

/// Bytes that an instruction adds to the stack pointer by an immediate: sub, add, and the stores
/// and loads of registers that move it; else 0.
std::int64_t stack_pointer_change(std::uint32_t word);

/// False where arm64's kprobes take no instruction of this kind (arm_kprobe_decode_insn): what
/// reads or writes system registers, raises or ends an exception, authenticates a pointer, or is an
/// exclusive access. True is no promise: its surroundings count, too.
bool may_take_kprobe(std::uint32_t word);

/// Of an MRS or MSR: "tpidr_el1"; "s3_0_c4_c6_0" for what has no name here.
std::string system_register_name(std::uint32_t system_register);

/// Quick test of a word alone, for scans of all text.
bool is_tlbi(std::uint32_t word);

}  // namespace kcost::kernel
