// Attaching and detaching with progress shown: the kernel takes some 0.1 s a function for either.
#pragma once

#include "probe/session.h"

namespace kcost {

/// Says how far it is, where there is a terminal and many sites.
void show_attaching(std::size_t done, std::size_t all);
void detach_with_progress(probe::Session& session);

}  // namespace kcost
