// The table of export formats, made by cmake/table.cmake.
#pragma once

#include <vector>

#include "export/export.h"

namespace kcost {
const std::vector<const Export*>& export_table();
}
