// Why nothing carries a name that was asked for.
#pragma once

#include <string>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/// For a NAME or MODULE:NAME that kallsyms does not have: the function or its module is not there.
Error missing_function(const Root& root, const std::string& name);

}  // namespace kcost::kernel
