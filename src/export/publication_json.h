// Published figures in JSON, as each format that tells of them has them.
#pragma once

#include <nlohmann/json.hpp>

#include "model/patch.h"

namespace kcost {

nlohmann::ordered_json publication_json(const model::Publication& publication);

}  // namespace kcost
