// Which kernel runs here, so that measurements of two are not taken for one.
#pragma once

#include "kernel/root.h"
#include "model/measurement.h"

namespace kcost::kernel {

class Symbols;

/// `machine` as read_machine gives it. Never fails: what cannot be read is "unknown".
model::KernelIdentity identify(const Root& root, const model::Machine& machine);

/// Of the kernel's own functions; "unknown" where there is no _stext.
std::string text_layout(const Symbols& symbols);

}  // namespace kcost::kernel
