// Write faults that reuse their page: fork write-protects the pages, the child is gone before they
// are written again, so each write makes one fault, no copy and one flush_tlb_page.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace kcost::workload {

Result<void> page_reuse(std::uint32_t pages);

}  // namespace kcost::workload
