// How `kcost confirm` tells what it found: one file a format, confirm_FORMAT.cpp; CMake makes the
// table.
#pragma once

#include <string>

#include "model/confirmation.h"

namespace kcost {

struct Writeup {
    const char* name;
    const char* summary;
    std::string (*render)(const model::Confirmation&);
};

}  // namespace kcost
