// The kernel's type information (BTF, /sys/kernel/btf/vmlinux), as far as a patch is told by it:
// which structs have which members, which functions which parameters. Not for offsets: programs
// that read fields relocate by libbpf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/root.h"

namespace kcost::kernel {

/*
 * A header (magic 0xeb9f, version 1, where types and strings are), then types in a row, numbered
 * from 1: each is a name (offset into the strings), kind and count, size or another type's number,
 * and what its kind has behind that: members, parameters, values. Linux's own description is
 * Documentation/bpf/btf.rst.
 */
class Btf {
public:
    /// Takes the bytes of one whole blob; an error where a part lies outside of it, or where a kind
    /// is not known: what follows it could not be found.
    static Result<Btf> parse(std::string bytes);
    /// The running kernel's; an error with exit code 3 where it has none.
    static Result<Btf> read(const Root& root);

    /// None: there is no struct or union of that name. Members of unnamed structs in it count.
    std::optional<bool> has_member(std::string_view structure, std::string_view member) const;
    /// None: there is no function of that name.
    std::optional<bool> has_parameter(std::string_view function, std::string_view parameter) const;

    std::size_t types() const { return types_.size() - 1; }

private:
    struct Type {
        std::uint32_t name = 0;    ///< offset into the strings
        std::uint32_t info = 0;    ///< kind and count
        std::uint32_t other = 0;   ///< size, or another type's number
        std::uint32_t behind = 0;  ///< offset of what follows, into the whole blob
    };

    std::uint32_t u32(std::size_t offset) const;
    std::string_view string(std::uint32_t offset) const;
    Result<void> index_types(std::size_t begin, std::size_t end);
    bool member_in(std::uint32_t type, std::string_view member, int depth) const;
    bool parameter_in(std::uint32_t prototype, std::string_view parameter) const;

    std::string bytes_;
    std::size_t strings_begin_ = 0;
    std::size_t strings_end_ = 0;
    std::vector<Type> types_{Type{}};  ///< 0 is void
};

}  // namespace kcost::kernel
