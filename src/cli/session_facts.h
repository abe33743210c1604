// What a session of `kcost measure` tells of its machine and its kernel.
#pragma once

#include <string>

#include "base/result.h"
#include "model/measurement.h"

namespace kcost {

/// Of the running kernel, with what its text says of each patch in the folder (empty: the installed
/// catalogue). Never fails: why there is no evidence is told in the session.
model::MeasuredSession read_session_facts(const std::string& patches_folder);

/// One file holds one side. Error: an earlier session in it was of another kernel.
Result<void> check_same_kernel(const model::Measurement& earlier,
                               const model::MeasuredSession& session, const std::string& file);

}  // namespace kcost
