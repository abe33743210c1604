#include "model/measurement.h"

namespace kcost::model {

const char* to_string(Mode mode) {
    switch (mode) {
        case Mode::kBare:
            return "bare";
        case Mode::kProbed:
            return "probed";
        case Mode::kSampled:
            return "sampled";
    }
    return "";
}

}  // namespace kcost::model
