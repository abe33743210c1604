// The table by itself, for views that put more around it.
#pragma once

#include <string>

#include "export/export.h"

namespace kcost {

extern const Export kExportTable;

}  // namespace kcost
