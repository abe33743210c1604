#include "probe/fill_in_settings.h"

#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "probe/libbpf.h"

namespace kcost::probe {
namespace {

bool names_setting(const bpf_insn& instruction) {
    auto number = static_cast<std::uint32_t>(instruction.imm);
    return number >= KC_SETTING_MAGIC && number < KC_SETTING_MAGIC + sizeof(kc_settings);
}

std::uint64_t value_of(const kc_settings& settings, const bpf_insn& instruction) {
    std::uint64_t value = 0;
    auto offset = static_cast<std::uint32_t>(instruction.imm) - KC_SETTING_MAGIC;
    std::memcpy(&value, reinterpret_cast<const char*>(&settings) + offset, sizeof value);
    return value;
}

}  // namespace

Result<void> fill_in_settings(bpf_program* program, const kc_settings& settings) {
    const bpf_insn* original = bpf_program__insns(program);
    std::vector<bpf_insn> code(original, original + bpf_program__insn_cnt(program));
    for (std::size_t i = 0; i < code.size(); i++) {
        bool wide = code[i].code == (BPF_LD | BPF_IMM | BPF_DW);
        bool narrow = code[i].code == (BPF_ALU64 | BPF_MOV | BPF_K);
        if ((wide && code[i].src_reg == 0 && names_setting(code[i])) && i + 1 < code.size()) {
            std::uint64_t value = value_of(settings, code[i]);
            code[i].imm = static_cast<std::int32_t>(value);
            code[i + 1].imm = static_cast<std::int32_t>(value >> 32);
        } else if (narrow && names_setting(code[i])) {
            std::uint64_t value = value_of(settings, code[i]);
            // The immediate is signed: what does not fit would become another number.
            if (value > INT32_MAX) return fail("a setting does not fit its instruction");
            code[i].imm = static_cast<std::int32_t>(value);
        }
        if (wide) i++;  // its second half is no instruction
    }
    if (int error = bpf_program__set_insns(program, code.data(), code.size())) {
        return fail("cannot fill in settings: " + explain_libbpf_failure(error));
    }
    return {};
}

}  // namespace kcost::probe
