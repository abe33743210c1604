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

std::vector<std::string> untold_facts(const std::vector<KnownPatch>& patches,
                                      const model::Machine& machine) {
    std::vector<std::string> untold;
    const auto look = [&](const model::Patch& patch, const auto& circumstances) {
        for (const model::Circumstance& it : circumstances) {
            for (const auto& [name, value] : it.when) {
                const bool told = std::any_of(machine.begin(), machine.end(),
                                              [&](const auto& fact) { return fact.first == name; });
                if (!told) untold.push_back(patch.slug + " asks for " + name);
            }
        }
    };
    for (const KnownPatch& known : patches) {
        look(known.patch, known.patch.moot);
        look(known.patch, known.patch.worth_more);
    }
    return untold;
}

}  // namespace kcost::patch
