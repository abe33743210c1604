// Which functions run under the run-queue lock with interrupts masked: no stack may be walked
// there.
#pragma once

#include <string_view>

namespace kcost::kernel {

bool runs_under_run_queue_lock(std::string_view function);

}  // namespace kcost::kernel
