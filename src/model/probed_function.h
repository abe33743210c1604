// A function of kcost's own file that a workload wants a user probe on.
#pragma once

namespace kcost::model {

struct ProbedFunction {
    const char* name;
    void (*function)();
    bool at_return;  ///< a uretprobe
};

}  // namespace kcost::model
