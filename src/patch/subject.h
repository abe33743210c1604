// The kernel that signatures are tried on: its text with symbols, and its types. A passive struct,
// so that the running kernel, one in a file, and a test's words are all the same to find.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/btf.h"
#include "kernel/kernel_text.h"
#include "model/patch_finding.h"

namespace kcost::patch {

struct Subject {
    kernel::KernelText kernel;
    /// Addresses of data symbols; those that are not listed are missing.
    std::map<std::string, std::uint64_t> data;
    std::optional<kernel::Btf> types;
    Error no_types;  ///< where there are none
    /// Functions whose entry leads elsewhere.
    std::set<std::string> livepatched;
    model::AskedKernel asked;
};

/// The running kernel, with the addresses of these data symbols. Errors: not arm64, addresses
/// hidden, live text not readable; exit code 3. Without type information it goes on.
Result<Subject> read_running_kernel(const kernel::Root& root,
                                    const std::vector<std::string>& data_symbols);

/// A kernel's file, with the symbols of a System.map if one is named. Errors: those of
/// kernel::read_kernel_image. Without type information it goes on.
Result<Subject> read_image(const std::string& path, const std::string& system_map,
                           const std::vector<std::string>& data_symbols);

}  // namespace kcost::patch
