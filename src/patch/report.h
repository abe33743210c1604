// The catalogue held against a machine: evidence, and where a patch is moot or worth more here.
#pragma once

#include <vector>

#include "model/patch_finding.h"
#include "model/recording.h"
#include "patch/patch_file.h"
#include "patch/subject.h"

namespace kcost::patch {

std::vector<model::PatchReport> report(const std::vector<KnownPatch>& patches,
                                       const Subject& subject, const model::Machine& machine);

/// Reasons of those whose facts all have the values they ask for.
std::vector<std::string> holding(const std::vector<model::Circumstance>& circumstances,
                                 const model::Machine& machine);

/// "SLUG asks for cpu.x": facts that a patch is moot or worth more by, and this machine has not.
std::vector<std::string> untold_facts(const std::vector<KnownPatch>& patches,
                                      const model::Machine& machine);

}  // namespace kcost::patch
