// Private to a64.cpp: the system instructions, whose words start with 0xd5.
#pragma once

#include <string>

#include "kernel/a64.h"

namespace kcost::kernel {

/// Fills in what a word is that is a TLBI, DC, IC, barrier, hint, MRS or MSR; leaves others alone.
void decode_system(A64Instruction& instruction);

/// Of an instruction that decode_system() filled in.
std::string system_to_string(const A64Instruction& instruction);

/// "x7"; 31 is "xzr".
std::string a64_register(unsigned number);

}  // namespace kcost::kernel
