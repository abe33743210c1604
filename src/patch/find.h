// Whether a kernel has a patch: its signature's facts looked up, its rules applied.
#pragma once

#include "model/patch_finding.h"
#include "patch/signature.h"
#include "patch/subject.h"

namespace kcost::patch {

model::PatchFinding find(const Signature& signature, const Subject& subject);

}  // namespace kcost::patch
