// The part of the machine's facts that are about processors.
#pragma once

#include "kernel/root.h"
#include "model/recording.h"

namespace kcost::kernel {

void add_cpu_facts(const Root& root, model::Machine& machine);

}  // namespace kcost::kernel
