// Words of A64 instructions that tests put together to functions.
#pragma once

#include <cstdint>

namespace kcost::kernel {

inline constexpr std::uint32_t kNop = 0xd503201f;
inline constexpr std::uint32_t kRet = 0xd65f03c0;
inline constexpr std::uint32_t kMove = 0xaa1e03e9;   // mov x9, x30
inline constexpr std::uint32_t kFrame = 0x910003fd;  // mov x29, sp
inline constexpr std::uint32_t kKprobe = 0xd4200080;
inline constexpr std::uint32_t kUdf = 0;
inline constexpr std::uint32_t kIsb = 0xd5033fdf;
inline constexpr std::uint32_t kDsbIshst = 0xd5033a9f;
inline constexpr std::uint32_t kDsbNshst = 0xd503369f;
inline constexpr std::uint32_t kDsbIsh = 0xd5033b9f;
inline constexpr std::uint32_t kDsbNsh = 0xd503379f;
inline constexpr std::uint32_t kFlush = 0xd50883a0;           // tlbi vale1is, x0
inline constexpr std::uint32_t kFlushHere = 0xd50887a0;       // tlbi vale1, x0
inline constexpr std::uint32_t kFlushAgain = 0xd50883bf;      // tlbi vale1is, xzr
inline constexpr std::uint32_t kFlushTable = 0xd5088320;      // tlbi vae1is, x0
inline constexpr std::uint32_t kFlushProcess = 0xd5088340;    // tlbi aside1is, x0
inline constexpr std::uint32_t kPush = 0xa9bf7bfd;            // stp x29, x30, [sp, #-16]!
inline constexpr std::uint32_t kPop = 0xa8c17bfd;             // ldp x29, x30, [sp], #16
inline constexpr std::uint32_t kLoadExclusive = 0xc85f7c20;   // ldxr x0, [x1]
inline constexpr std::uint32_t kStoreExclusive = 0xc802fc20;  // stlxr w2, x0, [x1]

/// Words from and to bytes of the function.
inline std::uint32_t jump(std::uint32_t base, int from, int to, unsigned low_bit = 0) {
    const std::uint32_t mask = low_bit == 0 ? 0x3ffffff : 0x7ffff;
    return base | (static_cast<std::uint32_t>((to - from) / 4) & mask) << low_bit;
}
inline std::uint32_t b(int from, int to) { return jump(0x14000000, from, to); }
inline std::uint32_t bl(int from, int to) { return jump(0x94000000, from, to); }
inline std::uint32_t cbz(int from, int to) { return jump(0x34000000, from, to, 5); }

}  // namespace kcost::kernel
