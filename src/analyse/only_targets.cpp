#include "analyse/only_targets.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace kcost {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> names_of(const model::Recording& recording) {
    std::vector<std::string> names;
    for (const model::Target& target : recording.targets) names.push_back(target.name);
    return names;
}

std::string list_of(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + escape_for_terminal(name);
    }
    return list;
}

}  // namespace

Result<model::Recording> only_targets(model::Recording recording,
                                      const std::vector<std::string>& names) {
    const std::vector<std::string> known = names_of(recording);
    for (const std::string& name : names) {
        if (has(known, name)) continue;
        return fail("the recording has no target " + escape_for_terminal(name),
                    "--target with one of " + list_of(known), ExitCode::kUsage);
    }
    std::map<std::size_t, std::size_t> places;  // from index before to index after
    std::vector<model::Target> kept;
    for (std::size_t i = 0; i < recording.targets.size(); i++) {
        if (!has(names, recording.targets[i].name)) continue;
        places[i] = kept.size();
        kept.push_back(std::move(recording.targets[i]));
    }
    std::erase_if(recording.payers,
                  [&](const model::Payer& payer) { return !places.contains(payer.target); });
    for (model::Payer& payer : recording.payers) payer.target = places.at(payer.target);
    recording.targets = std::move(kept);
    return recording;
}

}  // namespace kcost
