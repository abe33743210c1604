#include "kernel/btf.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "kernel/little_endian.h"

namespace kcost::kernel {
namespace {

constexpr const char* kPath = "/sys/kernel/btf/vmlinux";
constexpr std::size_t kHeaderBytes = 24;
constexpr std::size_t kTypeBytes = 12;
// A kernel's blob has some MB; offsets are 32 bits wide.
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
// Unnamed structs within each other, not deeper than anybody writes them.
constexpr int kMostDepth = 8;

enum Kind : std::uint32_t { kStruct = 4, kUnion = 5, kFunction = 12, kPrototype = 13 };

/// Bytes behind a type of each kind: so many, and so many for each that it counts.
struct Behind {
    std::size_t fixed;
    std::size_t each;
};
constexpr Behind kBehind[] = {
    {0, 0},   // 0: none has it
    {4, 0},   // 1 int
    {0, 0},   // 2 pointer
    {12, 0},  // 3 array
    {0, 12},  // 4 struct
    {0, 12},  // 5 union
    {0, 8},   // 6 enum
    {0, 0},   // 7 forward declaration
    {0, 0},   // 8 typedef
    {0, 0},   // 9 volatile
    {0, 0},   // 10 const
    {0, 0},   // 11 restrict
    {0, 0},   // 12 function
    {0, 8},   // 13 prototype
    {4, 0},   // 14 variable
    {0, 12},  // 15 data section
    {0, 0},   // 16 float
    {4, 0},   // 17 declaration tag
    {0, 0},   // 18 type tag
    {0, 12},  // 19 enum of 64 bits
};

std::uint32_t kind_of(std::uint32_t info) { return info >> 24 & 31; }
std::uint32_t count_of(std::uint32_t info) { return info & 0xffff; }

tl::unexpected<Error> damaged(const std::string& cause) {
    return fail("cannot read the kernel's type information: " + cause);
}

}  // namespace

std::uint32_t Btf::u32(std::size_t offset) const {
    return number_at<std::uint32_t>(bytes_, offset);
}

std::string_view Btf::string(std::uint32_t offset) const {
    if (offset >= strings_end_ - strings_begin_) return {};
    const std::string_view rest = std::string_view(bytes_).substr(
        strings_begin_ + offset, strings_end_ - strings_begin_ - offset);
    return rest.substr(0, rest.find('\0'));
}

Result<Btf> Btf::parse(std::string bytes) {
    Btf btf;
    btf.bytes_ = std::move(bytes);
    const std::size_t size = btf.bytes_.size();
    if (size < kHeaderBytes || size > kMostBytes) return damaged("it is cut off");
    const std::uint32_t first = btf.u32(0);
    if ((first & 0xffff) != 0xeb9f) return damaged("it is not little-endian BTF");
    if ((first >> 16 & 0xff) != 1) return damaged("its version is not 1");
    const std::size_t header = btf.u32(4);
    const std::size_t types_begin = header + btf.u32(8), types_end = types_begin + btf.u32(12);
    btf.strings_begin_ = header + btf.u32(16);
    btf.strings_end_ = btf.strings_begin_ + btf.u32(20);
    const bool inside = header >= kHeaderBytes && types_end <= size && btf.strings_end_ <= size;
    if (!inside) return damaged("its parts lie outside of it");
    auto indexed = btf.index_types(types_begin, types_end);
    if (!indexed) return tl::unexpected(indexed.error());
    return btf;
}

Result<void> Btf::index_types(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
        if (end - at < kTypeBytes) return damaged("its last type is cut off");
        Type type;
        type.name = u32(at);
        type.info = u32(at + 4);
        type.other = u32(at + 8);
        type.behind = static_cast<std::uint32_t>(at + kTypeBytes);
        const std::uint32_t kind = kind_of(type.info);
        if (kind == 0 || kind >= std::size(kBehind)) {
            return damaged(fmt::format("type {} is of the unknown kind {}", types_.size(), kind));
        }
        const std::size_t behind = kBehind[kind].fixed + kBehind[kind].each * count_of(type.info);
        at += kTypeBytes;
        if (end - at < behind) return damaged("its last type is cut off");
        at += behind;
        types_.push_back(type);
    }
    return {};
}

Result<Btf> Btf::read(const Root& root) {
    if (::access(root.at(kPath).c_str(), F_OK) != 0) {
        return fail(std::string("cannot read the kernel's type information: there is no ") + kPath,
                    "boot a kernel with CONFIG_DEBUG_INFO_BTF=y", ExitCode::kCannotHere);
    }
    auto bytes = read_file(root.at(kPath));
    if (!bytes) return tl::unexpected(bytes.error());
    return parse(std::move(*bytes));
}

bool Btf::member_in(std::uint32_t number, std::string_view member, int depth) const {
    if (number >= types_.size() || depth > kMostDepth) return false;
    const Type& type = types_[number];
    const std::uint32_t kind = kind_of(type.info);
    if (kind != kStruct && kind != kUnion) return false;
    for (std::uint32_t i = 0; i < count_of(type.info); i++) {
        const std::size_t at = type.behind + std::size_t{12} * i;
        const std::string_view name = string(u32(at));
        if (name == member) return true;
        if (name.empty() && member_in(u32(at + 4), member, depth + 1)) return true;
    }
    return false;
}

bool Btf::parameter_in(std::uint32_t number, std::string_view parameter) const {
    if (number >= types_.size() || kind_of(types_[number].info) != kPrototype) return false;
    const Type& type = types_[number];
    for (std::uint32_t i = 0; i < count_of(type.info); i++) {
        if (string(u32(type.behind + std::size_t{8} * i)) == parameter) return true;
    }
    return false;
}

std::optional<bool> Btf::has_member(std::string_view structure, std::string_view member) const {
    std::optional<bool> found;
    for (std::uint32_t number = 1; number < types_.size(); number++) {
        const Type& type = types_[number];
        const std::uint32_t kind = kind_of(type.info);
        if ((kind != kStruct && kind != kUnion) || string(type.name) != structure) continue;
        found = found.value_or(false) || member_in(number, member, 0);
    }
    return found;
}

std::optional<bool> Btf::has_parameter(std::string_view function,
                                       std::string_view parameter) const {
    std::optional<bool> found;
    for (const Type& type : types_) {
        if (kind_of(type.info) != kFunction || string(type.name) != function) continue;
        found = found.value_or(false) || parameter_in(type.other, parameter);
    }
    return found;
}

}  // namespace kcost::kernel
