#include "kernel/a64_system.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace kcost::kernel {
namespace {

// Arm ARM, section C5.1.3: SYS #op1, Cn, Cm, #op2. DC, IC and TLBI are names for some of them.
struct SystemFields {
    explicit SystemFields(std::uint32_t word)
        : op1(word >> 16 & 7), crn(word >> 12 & 15), crm(word >> 8 & 15), op2(word >> 5 & 7) {}
    unsigned op1, crn, crm, op2;
};

using Names = std::array<const char*, 8>;  // by op2

constexpr Names kPageEl1 = {"vmalle1", "vae1",  "aside1", "vaae1",
                            nullptr,   "vale1", nullptr,  "vaale1"};
constexpr Names kRangeEl1 = {nullptr, "rvae1",  nullptr, "rvaae1",
                             nullptr, "rvale1", nullptr, "rvaale1"};
constexpr Names kPageEl2 = {"alle2", "vae2", nullptr, nullptr, "alle1", "vale2", "vmalls12e1"};
constexpr Names kRangeEl2 = {nullptr, "rvae2", nullptr, nullptr, nullptr, "rvale2"};
constexpr Names kStage2Shared = {nullptr, "ipas2e1",  "ripas2e1",  nullptr,
                                 nullptr, "ipas2le1", "ripas2le1", nullptr};
constexpr Names kStage2 = {"ipas2e1",  "ipas2e1",  "ripas2e1",  "ripas2e1",
                           "ipas2le1", "ipas2le1", "ripas2le1", "ripas2le1"};
constexpr Names kNone = {};

constexpr bool is_range_crm(unsigned crm) { return crm == 2 || crm == 5 || crm == 6; }

const Names& tlbi_names(unsigned op1, unsigned crm) {
    if (crm > 7) return kNone;
    if (crm == 0) return op1 == 4 ? kStage2Shared : kNone;
    if (crm == 4) return op1 == 4 ? kStage2 : kNone;
    if (op1 == 4) return is_range_crm(crm) ? kRangeEl2 : kPageEl2;
    return is_range_crm(crm) ? kRangeEl1 : kPageEl1;
}

TlbScope tlbi_scope(const SystemFields& fields) {
    const unsigned crm = fields.crm, op2 = fields.op2;
    const bool outer_stage2 = crm == 4 && (op2 == 0 || op2 == 3 || op2 == 4 || op2 == 7);
    if (crm == 1 || crm == 5 || outer_stage2) return TlbScope::kOuterShareable;
    return crm == 0 || crm == 2 || crm == 3 ? TlbScope::kInnerShareable : TlbScope::kLocal;
}

TlbOperation tlb_operation(const SystemFields& fields, std::string_view name) {
    TlbOperation tlb;
    tlb.name = name;
    tlb.scope = tlbi_scope(fields);
    tlb.range = name.starts_with("r");
    tlb.by_page = name.starts_with("va");
    tlb.by_address = tlb.range || tlb.by_page || name.starts_with("ipas2");
    tlb.last_level = tlb.by_address && name.find("le") != name.npos;
    tlb.stage1_el1 = fields.op1 == 0;
    // FEAT_XS: does not wait for accesses to memory that is slow to answer.
    if (fields.crn == 9) tlb.name += "nxs";
    return tlb;
}

struct CacheOperation {
    unsigned op1, crm, op2;
    const char* name;
};

// Those with a "g" clean or drop the allocation tags (MTE), with "gd" data, too.
constexpr CacheOperation kDataCache[] = {
    {0, 6, 1, "ivac"},     {0, 6, 2, "isw"},     {0, 6, 3, "igvac"},   {0, 6, 4, "igsw"},
    {0, 6, 5, "igdvac"},   {0, 6, 6, "igdsw"},   {0, 10, 2, "csw"},    {0, 10, 4, "cgsw"},
    {0, 10, 6, "cgdsw"},   {0, 14, 2, "cisw"},   {0, 14, 4, "cigsw"},  {0, 14, 6, "cigdsw"},
    {3, 4, 1, "zva"},      {3, 4, 3, "gva"},     {3, 4, 4, "gzva"},    {3, 10, 1, "cvac"},
    {3, 10, 3, "cgvac"},   {3, 10, 5, "cgdvac"}, {3, 11, 1, "cvau"},   {3, 12, 1, "cvap"},
    {3, 12, 3, "cgvap"},   {3, 12, 5, "cgdvap"}, {3, 13, 1, "cvadp"},  {3, 13, 3, "cgvadp"},
    {3, 13, 5, "cgdvadp"}, {3, 14, 1, "civac"},  {3, 14, 3, "cigvac"}, {3, 14, 5, "cigdvac"},
};
constexpr CacheOperation kInstructionCache[] = {
    {0, 1, 0, "ialluis"}, {0, 5, 0, "iallu"}, {3, 5, 1, "ivau"}};

template <std::size_t N>
const char* cache_name(const CacheOperation (&operations)[N], const SystemFields& fields) {
    for (const CacheOperation& it : operations) {
        if (it.op1 == fields.op1 && it.crm == fields.crm && it.op2 == fields.op2) return it.name;
    }
    return nullptr;
}

void decode_cache(A64Instruction& instruction, const SystemFields& fields) {
    const char* data = cache_name(kDataCache, fields);
    const char* code = cache_name(kInstructionCache, fields);
    if (!data && !code) return;
    instruction.kind = data ? A64Kind::kDataCache : A64Kind::kInstructionCache;
    instruction.operation = data ? data : code;
}

void decode_sys(A64Instruction& instruction) {
    const SystemFields fields(instruction.word);
    if (fields.crn == 7) decode_cache(instruction, fields);
    if (!is_tlbi(instruction.word)) return;
    instruction.kind = A64Kind::kTlbi;
    instruction.tlb = tlb_operation(fields, tlbi_names(fields.op1, fields.crm)[fields.op2]);
}

void decode_dsb(A64Instruction& instruction) {
    const unsigned crm = instruction.word >> 8 & 15;
    if (crm == 0 || crm == 4) return;  // ssbb and pssbb, which are about speculation
    instruction.kind = A64Kind::kDsb;
    const unsigned types = crm & 3;
    if (types == 0) return;  // reserved: acts as sy
    instruction.domain = static_cast<BarrierDomain>(crm >> 2);
    // "ld" forms wait for loads alone. They count here since they, too, end no TLB maintenance.
    instruction.stores_only = types != 3;
}

// MSR (immediate), Arm ARM, section C6.2: daifset, daifclr, pan, spsel and the like. The first ones
// with op1 == 0 are cfinv, xaflag and axflag.
bool is_msr_immediate(std::uint32_t word) {
    const SystemFields fields(word);
    return (word & 0xfff8f01f) == 0xd500401f && (fields.op1 != 0 || fields.op2 > 2);
}

bool is_dsb(std::uint32_t word) { return (word & 0xfffff0ff) == 0xd503309f; }
// FEAT_XS: dsb oshnxs, nshnxs, ishnxs, synxs.
bool is_dsb_nxs(std::uint32_t word) { return (word & 0xfffff3ff) == 0xd503323f; }
bool is_isb(std::uint32_t word) { return (word & 0xfffff0ff) == 0xd50330df; }

void decode_move(A64Instruction& instruction, A64Kind kind) {
    instruction.kind = kind;
    instruction.system_register = instruction.word >> 5 & 0xffff;
    instruction.destination = instruction.word & 31;
}

constexpr struct {
    std::uint32_t value;
    const char* name;
} kSystemRegisters[] = {
    {0xc081, "actlr_el1"},   {0xc100, "ttbr0_el1"},      {0xc101, "ttbr1_el1"}, {0xc208, "sp_el0"},
    {0xc230, "icc_pmr_el1"}, {0xc681, "contextidr_el1"}, {0xc684, "tpidr_el1"}, {0xda11, "daif"},
    {0xd801, "ctr_el0"},     {0xde82, "tpidr_el0"},      {0xe682, "tpidr_el2"},
};

std::string msr_to_string(const A64Instruction& instruction) {
    const SystemFields fields(instruction.word);
    if (instruction.word & 0x00100000) {
        return "msr " + system_register_name(instruction.system_register) + ", " +
               a64_register(instruction.destination);
    }
    constexpr Names kFields0 = {"", "", "", "uao", "pan", "spsel"};
    constexpr Names kFields3 = {"", "ssbs", "dit", "svcr", "tco", "", "daifset", "daifclr"};
    const char* field = fields.op1 == 0   ? kFields0[fields.op2]
                        : fields.op1 == 3 ? kFields3[fields.op2]
                                          : nullptr;
    if (field && *field) return fmt::format("msr {}, #{:#x}", field, fields.crm);
    return fmt::format("msr op{}_{}, #{:#x}", fields.op1, fields.op2, fields.crm);
}

std::string tlbi_to_string(const A64Instruction& instruction) {
    constexpr const char* kSuffix[] = {"", "is", "os"};
    std::string name = instruction.tlb->name;
    const bool nxs = name.ends_with("nxs");
    name.insert(name.size() - (nxs ? 3 : 0), kSuffix[static_cast<int>(instruction.tlb->scope)]);
    const bool all = !instruction.tlb->by_address && !name.starts_with("aside");
    return "tlbi " + name + (all ? "" : ", " + a64_register(instruction.destination));
}

std::string dsb_to_string(const A64Instruction& instruction) {
    constexpr const char* kDomain[] = {"osh", "nsh", "ish", "sy"};
    const std::string domain = kDomain[static_cast<int>(instruction.domain)];
    if (is_dsb_nxs(instruction.word)) return "dsb " + domain + "nxs";
    if (!instruction.stores_only) return "dsb " + domain;
    const char* types = instruction.word >> 8 & 1 ? "ld" : "st";
    return domain == "sy" ? std::string("dsb ") + types : "dsb " + domain + types;
}

std::string cache_to_string(const A64Instruction& instruction, const std::string& start) {
    if (instruction.operation.starts_with("iall")) return start + instruction.operation;
    return start + instruction.operation + ", " + a64_register(instruction.destination);
}

}  // namespace

bool is_tlb_operation(std::string_view name) {
    if (name.ends_with("nxs")) name.remove_suffix(3);
    for (const Names* names : {&kPageEl1, &kRangeEl1, &kPageEl2, &kRangeEl2, &kStage2}) {
        for (const char* known : *names) {
            if (known && name == known) return true;
        }
    }
    return false;
}

std::string system_register_name(std::uint32_t value) {
    for (const auto& known : kSystemRegisters) {
        if (known.value == value) return known.name;
    }
    return fmt::format("s{}_{}_c{}_c{}_{}", 2 + (value >> 14 & 1), value >> 11 & 7, value >> 7 & 15,
                       value >> 3 & 15, value & 7);
}

bool is_tlbi(std::uint32_t word) {
    // SYS with op1 0 or 4 and Cn 8 or 9.
    if ((word & 0xfffbe000) != 0xd5088000) return false;
    const SystemFields fields(word);
    return tlbi_names(fields.op1, fields.crm)[fields.op2] != nullptr;
}

void decode_system(A64Instruction& instruction) {
    const std::uint32_t word = instruction.word;
    instruction.destination = word & 31;
    if ((word & 0xfff80000) == 0xd5080000) return decode_sys(instruction);
    if ((word & 0xfff00000) == 0xd5300000) return decode_move(instruction, A64Kind::kReadSystem);
    const bool msr = (word & 0xfff00000) == 0xd5100000 || is_msr_immediate(word);
    if (msr) return decode_move(instruction, A64Kind::kWriteSystem);
    if (word == 0xd503201f) instruction.kind = A64Kind::kNop;
    if (is_isb(word)) instruction.kind = A64Kind::kIsb;
    if (is_dsb(word)) return decode_dsb(instruction);
    if (!is_dsb_nxs(word)) return;
    instruction.kind = A64Kind::kDsb;
    instruction.domain = static_cast<BarrierDomain>(word >> 10 & 3);
}

std::string system_to_string(const A64Instruction& instruction) {
    switch (instruction.kind) {
        case A64Kind::kNop:
            return "nop";
        case A64Kind::kIsb:
            return "isb";
        case A64Kind::kTlbi:
            return tlbi_to_string(instruction);
        case A64Kind::kDsb:
            return dsb_to_string(instruction);
        case A64Kind::kDataCache:
            return cache_to_string(instruction, "dc ");
        case A64Kind::kInstructionCache:
            return cache_to_string(instruction, "ic ");
        case A64Kind::kWriteSystem:
            return msr_to_string(instruction);
        default:
            break;
    }
    return "mrs " + a64_register(instruction.destination) + ", " +
           system_register_name(instruction.system_register);
}

}  // namespace kcost::kernel
