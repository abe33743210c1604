#include "kernel/identity.h"

#include "base/digest.h"
#include "kernel/facts.h"
#include "kernel/machine.h"
#include "kernel/symbols.h"

namespace kcost::kernel {
std::string text_layout(const Symbols& symbols) {
    const auto [begin, end] = symbols.kernel_text();
    if (begin == 0) return kUnknown;
    Digest digest;
    for (const Symbol& symbol : symbols.match("*")) {
        const bool own = symbol.module.empty() && symbol.address >= begin && symbol.address < end;
        if (!own) continue;
        digest.add(symbol.address - begin);
        digest.add(symbol.name);
    }
    return digest.text();
}

model::KernelIdentity identify(const Root& root, const model::Machine& machine) {
    const auto symbols = Symbols::read(root);
    return {.release = fact(machine, "kernel.release"),
            .version = fact(machine, "kernel.version"),
            .build_id = fact(machine, "kernel.build_id"),
            .text_layout = symbols ? text_layout(*symbols) : kUnknown};
}

}  // namespace kcost::kernel
