#include "kernel/kernel_text.h"

#include <utility>

#include "kernel/architecture.h"
#include "kernel/symbol_lookup.h"

namespace kcost::kernel {
namespace {

// The longest functions have some 100 KB.
constexpr std::uint64_t kLongestFunction = 1 << 20;

Result<void> require_arm64(const Root& root) {
    const std::string name = architecture(root);
    if (name == "aarch64") return {};
    return fail("kcost understands live kernel text of arm64 only, and this is " + name, "",
                ExitCode::kCannotHere);
}

}  // namespace

Result<KernelText> read_kernel_text(const Root& root) {
    auto known = require_arm64(root);
    if (!known) return tl::unexpected(known.error());
    auto symbols = Symbols::read(root);
    if (!symbols) return tl::unexpected(symbols.error());
    const auto [begin, end] = symbols->kernel_text();
    if (begin == 0) {
        return fail("cannot read the kernel's text: /proc/kallsyms does not tell where it begins",
                    "", ExitCode::kCannotHere);
    }
    auto memory = LiveMemory::open(root);
    if (!memory) return tl::unexpected(memory.error());
    auto text = memory->text(begin, end);
    if (!text) return tl::unexpected(text.error());
    return KernelText{std::move(*symbols), std::move(*text)};
}

Result<Flow> read_flow(const Root& root, std::uint64_t begin, std::uint64_t end) {
    auto known = require_arm64(root);
    if (!known) return tl::unexpected(known.error());
    if (end <= begin || end - begin > kLongestFunction) {
        return fail("cannot read a function's text: where it ends is not known", "",
                    ExitCode::kCannotHere);
    }
    auto memory = LiveMemory::open(root);
    if (!memory) return tl::unexpected(memory.error());
    auto text = memory->text(begin, end);
    if (!text) return tl::unexpected(text.error());
    Flow flow = Flow::of(*text);
    if (flow.calls().empty()) return flow;
    // Behind a call that never returns stands what never runs, though it may look like a way out.
    auto dead_ends = find_many(root, {"__stack_chk_fail"});
    if (!dead_ends || dead_ends->front().empty()) return flow;
    return Flow::of(*text, {dead_ends->front().front().address});
}

}  // namespace kcost::kernel
