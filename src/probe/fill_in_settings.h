// A target's settings put into its programs' instructions, before they are loaded (bpf/abi.h tells
// why they are there and not in memory).
#pragma once

#include "base/result.h"
#include "bpf/abi.h"

struct bpf_program;

namespace kcost::probe {

Result<void> fill_in_settings(bpf_program* program, const kc_settings& settings);

}  // namespace kcost::probe
