// The catalogue held against a machine: evidence, and where a patch is moot or worth more here.
#pragma once

#include <set>
#include <string>
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

/// Names of facts that decide whether a patch is moot or worth more, and that no machine tells.
std::set<std::string> untold_facts(const model::Patch& patch, const model::Machine& machine);

}  // namespace kcost::patch
