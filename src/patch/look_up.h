// One fact of a signature, looked up in a kernel.
#pragma once

#include "model/patch_finding.h"
#include "patch/function.h"
#include "patch/signature.h"
#include "patch/subject.h"

namespace kcost::patch {

model::FactFinding look_up(const Fact& fact, const Subject& subject, Functions& functions);

}  // namespace kcost::patch
