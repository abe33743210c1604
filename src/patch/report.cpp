#include "patch/report.h"

#include <algorithm>

#include "kernel/machine.h"
#include "patch/find.h"

namespace kcost::patch {

std::vector<std::string> holding(const std::vector<model::Circumstance>& circumstances,
                                 const model::Machine& machine) {
    std::vector<std::string> reasons;
    for (const model::Circumstance& it : circumstances) {
        const bool all = std::all_of(it.when.begin(), it.when.end(), [&](const auto& wanted) {
            return kernel::fact(machine, wanted.first) == wanted.second;
        });
        if (all) reasons.push_back(it.because);
    }
    return reasons;
}

std::vector<model::PatchReport> report(const std::vector<KnownPatch>& patches,
                                       const Subject& subject, const model::Machine& machine) {
    std::vector<model::PatchReport> reports;
    for (const KnownPatch& known : patches) {
        reports.push_back({known.patch, find(known.signature, subject),
                           holding(known.patch.moot, machine),
                           holding(known.patch.worth_more, machine)});
    }
    return reports;
}

std::set<std::string> untold_facts(const model::Patch& patch, const model::Machine& machine) {
    std::set<std::string> untold;
    for (const auto* circumstances : {&patch.moot, &patch.worth_more}) {
        for (const model::Circumstance& it : *circumstances) {
            for (const auto& [name, value] : it.when) untold.insert(name);
        }
    }
    for (const auto& [name, value] : machine) untold.erase(name);
    return untold;
}

}  // namespace kcost::patch
