// The table of the formats of confirm, made by cmake/table.cmake.
#pragma once

#include <vector>

#include "export/writeup.h"

namespace kcost {
const std::vector<const Writeup*>& writeup_table();
}
