// The machine's facts that travel with every recording. Facts that need live text (IDC/DIC, active
// errata) are not here.
#pragma once

#include <string>
#include <string_view>

#include "kernel/root.h"
#include "model/recording.h"

namespace kcost::kernel {

/// Never fails: a fact that cannot be read is "unknown", with the reason in brackets where that
/// helps. Keys are listed in docs of the recording format, always all and in the same order.
model::Machine read_machine(const Root& root);

/// Value of a fact, "unknown" where there is none.
std::string fact(const model::Machine& machine, std::string_view key);

}  // namespace kcost::kernel
