#include "kernel/identity.h"

#include <fmt/format.h>

#include "kernel/facts.h"
#include "kernel/machine.h"
#include "kernel/symbols.h"

namespace kcost::kernel {
namespace {

// FNV-1a, 64 bits: it tells kernels apart, and is no protection against forgery.
class Digest {
public:
    void add(std::string_view text) {
        for (const char c : text) add_byte(static_cast<unsigned char>(c));
        add_byte(0);
    }
    void add(std::uint64_t number) {
        for (int shift = 0; shift < 64; shift += 8)
            add_byte(static_cast<unsigned char>(number >> shift));
    }
    std::string text() const { return fmt::format("{:016x}", hash_); }

private:
    void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

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
