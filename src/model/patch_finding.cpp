#include "model/patch_finding.h"

namespace kcost::model {

const char* to_string(Evidence evidence) {
    switch (evidence) {
        case Evidence::kPresent:
            return "present";
        case Evidence::kAbsent:
            return "absent";
        case Evidence::kSuperseded:
            return "superseded";
        case Evidence::kCannotTell:
            break;
    }
    return "cannot tell";
}

}  // namespace kcost::model
