// The JSON form by itself, for commands that are not `report`.
#pragma once

#include "export/export.h"

namespace kcost {

extern const Export kExportJson;

}  // namespace kcost
