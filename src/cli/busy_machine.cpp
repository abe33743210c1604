#include "cli/busy_machine.h"

#include <fmt/format.h>

#include "base/log.h"
#include "kernel/cpus.h"

namespace kcost {
namespace {

constexpr double kMostLoad = 0.1;  // of the CPUs online

}  // namespace

Result<void> check_load(bool yes) {
    auto load = kernel::load_average({});
    if (!load) return tl::unexpected(load.error());
    auto online = kernel::online_cpus({});
    if (!online) return tl::unexpected(online.error());
    const double most = kMostLoad * static_cast<double>(online->size());
    if (*load <= most) return {};
    const std::string what =
        fmt::format("the machine is busy: its load is {:.2f} on {} CPUs, more than {:.2f}", *load,
                    online->size(), most);
    if (!yes)
        return fail(what, "--yes, or wait: it is an average of a minute", ExitCode::kCannotHere);
    log::warn(what);
    return {};
}

}  // namespace kcost
