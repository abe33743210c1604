// What a kernel's text says about a patch as JSON, both ways.
#pragma once

#include "model/measurement.h"
#include "store/json_reader.h"
#include "store/json_writer.h"

namespace kcost {

OrderedJson evidence_to_json(const model::PatchEvidence& evidence);
model::PatchEvidence read_evidence(Reader& in, const Field& at);

}  // namespace kcost
