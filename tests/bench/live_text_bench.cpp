// How long it takes to find all callers of a symbol, and all TLB operations, in a kernel's text:
// live_text_bench. On arm64, as root, in this kernel's own text; elsewhere in a synthetic one.
#include <chrono>
#include <cstdio>

#include "kernel/kernel_text.h"
#include "kernel/operations.h"

namespace {

using namespace kcost::kernel;

template <typename Work>
double milliseconds(Work work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    return took.count();
}

// 17 MB, every 64th instruction a call of something.
TextRange synthetic_text() {
    constexpr std::uint32_t kCall = 0x94000000;
    constexpr std::uint32_t kNop = 0xd503201f;
    TextRange text;
    text.begin = 0xffff800080010000;
    text.words.assign(17'000'000 / 4, kNop);
    for (std::uint32_t i = 0; i < text.words.size(); i += 64) {
        text.words[i] = kCall | (i * 2654435761u & 0xffffff);
    }
    return text;
}

}  // namespace

int main() {
    KernelText kernel;
    const double reading = milliseconds([&] {
        auto live = read_kernel_text({});
        if (live) kernel = std::move(*live);
    });
    const bool live = !kernel.text.words.empty();
    if (!live) kernel.text = synthetic_text();
    std::size_t callers = 0;
    const auto find = [&] { callers = callers_of(kernel.text, kernel.text.begin + 4096).size(); };
    const double finding = milliseconds(find);
    std::printf("text: %s, %.1f MB\n", live ? "live" : "synthetic", kernel.text.words.size() * 4e-6);
    if (live) std::printf("read twice and compared, with symbols: %.1f ms\n", reading);
    std::printf("all callers of an address: %.1f ms (%zu)\n", finding, callers);
    if (!live) return 0;
    std::size_t sites = 0;
    const double walking =
        milliseconds([&] { sites = find_operations(kernel.text, kernel.symbols).size(); });
    std::printf("all TLB operations, with their control flow: %.1f ms (%zu)\n", walking, sites);
    return 0;
}
