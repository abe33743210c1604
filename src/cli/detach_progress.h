// Detaching with progress shown: the kernel takes about 0.1 s a function for it.
#pragma once

#include "probe/session.h"

namespace kcost {

void detach_with_progress(probe::Session& session);

}  // namespace kcost
