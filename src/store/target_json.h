// A target with its sites, a gap and a fact of the machine as JSON, both ways: what recordings and
// measurements both hold. Described in docs/recording-format.md.
#pragma once

#include <string>
#include <utility>

#include "model/recording.h"
#include "store/json_reader.h"
#include "store/json_writer.h"

namespace kcost {

OrderedJson target_to_json(const model::Target& target);
OrderedJson gap_to_json(const model::Gap& gap);
OrderedJson fact_to_json(const std::pair<std::string, std::string>& fact);

model::Target read_target(Reader& in, const Field& at);
model::Gap read_gap(Reader& in, const Field& at);
std::pair<std::string, std::string> read_fact(Reader& in, const Field& at);

}  // namespace kcost
