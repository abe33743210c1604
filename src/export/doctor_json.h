// What `kcost doctor` found, and its JSON. No format of a recording, so no row of the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/recording.h"

namespace kcost {

struct Finding {
    enum class State { kOk, kBad, kSkipped };
    std::string name;
    State state = State::kOk;
    std::string detail;
    std::string remedy;  ///< empty where nothing is to be mended
};

struct TriedMechanism {
    Finding finding;
    std::uint64_t floor_ns = 0;  ///< 0: unknown
};

struct Diagnosis {
    std::string kcost_version;
    std::vector<Finding> capabilities;
    std::vector<TriedMechanism> mechanisms;
    std::string kernel_mechanism;  ///< that kernel functions are measured by; empty: none
    model::Machine machine;
    std::string emulated;  ///< "no": times are true; "yes", "likely" or "unknown"
    std::optional<std::vector<Finding>> self_test;  ///< nothing: it was not asked for
};

/// State as a word: "ok", "failed" or "skipped".
std::string render_doctor_json(const Diagnosis& diagnosis);

}  // namespace kcost
