// An output format: takes a Report, gives bytes. One file a format; CMake makes the table.
#pragma once

#include <string>

#include "base/result.h"
#include "model/report.h"

namespace kcost {

struct ExportOptions {
    std::string weight = "calls";  ///< "calls" or "ns", where the format weighs stacks
    unsigned width = 100;          ///< columns, for tables
    bool color = false;
};

struct Export {
    const char* name;
    const char* summary;
    Result<std::string> (*render)(const model::Report&, const ExportOptions&);
};

}  // namespace kcost
