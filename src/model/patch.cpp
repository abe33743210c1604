#include "model/patch.h"

namespace kcost::model {

const char* to_string(EffectOf of) {
    switch (of) {
        case EffectOf::kTime:
            return "time";
        case EffectOf::kInstructions:
            return "instructions";
        case EffectOf::kCalls:
            break;
    }
    return "calls";
}

}  // namespace kcost::model
