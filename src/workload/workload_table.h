// The table of workloads, made by cmake/table.cmake.
#pragma once

#include <vector>

#include "workload/workload.h"

namespace kcost {
const std::vector<const Workload*>& workload_table();
}
