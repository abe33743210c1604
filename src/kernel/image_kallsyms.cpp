#include "kernel/image_kallsyms.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "kernel/kallsyms_tables.h"
#include "kernel/little_endian.h"

namespace kcost::kernel {
namespace {

using Offsets = std::vector<std::uint64_t>;  ///< one a symbol, into the image

// Documentation/arch/arm64/booting.rst: text_offset of the image's header. The kernel is linked to
// text_offset behind a multiple of 2 MB.
constexpr std::size_t kTextOffsetAt = 8;
constexpr std::uint64_t kLinkAlignment = 1 << 21;
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kRelative = 1027;  // R_AARCH64_RELATIVE of the ELF ABI

std::size_t round_up(std::size_t offset, std::size_t to) { return (offset + to - 1) / to * to; }

std::optional<std::size_t> index_of(const std::vector<std::string>& names, std::string_view name) {
    const auto is_it = [&](const std::string& it) {
        return std::string_view(it).substr(1) == name;
    };
    const auto found = std::find_if(names.begin(), names.end(), is_it);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

std::uint64_t link_base_of(std::string_view image, std::uint64_t address) {
    return address / kLinkAlignment * kLinkAlignment +
           number_at<std::uint64_t>(image, kTextOffsetAt) % kLinkAlignment;
}

bool is_kernel_address(std::uint64_t address) { return address >> 48 == 0xffff; }

/// What the relocation of the eight bytes at that place will put there; 0 where there is none. An
/// entry is an address, its kind and a value; the value's own link base must be the address's.
std::uint64_t relocated(std::string_view image, std::size_t place) {
    for (std::size_t at = 0; at + 24 <= image.size(); at += 8) {
        if (number_at<std::uint64_t>(image, at + 8) != kRelative) continue;
        const auto value = number_at<std::uint64_t>(image, at + 16);
        if (!is_kernel_address(value)) continue;
        if (number_at<std::uint64_t>(image, at) == link_base_of(image, value) + place) return value;
    }
    return 0;
}

class OffsetsReader {
public:
    OffsetsReader(std::string_view image, const KallsymsTokens& tokens, const KallsymsNames& names)
        : image_(image),
          tokens_(tokens),
          names_(names.names),
          names_begin_(names.begin),
          text_(index_of(names_, "_text")),
          stext_(index_of(names_, "_stext")),
          etext_(index_of(names_, "_etext")) {}

    std::optional<ImageKallsyms> find() const {
        if (!stext_ || !etext_) return std::nullopt;
        const std::size_t behind = tokens_.end, bytes = 4 * names_.size();
        auto found = relative_to_base(behind, round_up(behind + bytes, 8));
        if (!found) found = relative_to_place(behind);
        if (found || names_begin_ < bytes + 16) return found;
        const std::size_t base_at = (names_begin_ - 8) / 8 * 8;
        return relative_to_base((base_at - bytes) / 8 * 8, base_at);
    }

private:
    std::optional<ImageKallsyms> relative_to_base(std::size_t at, std::size_t base_at) const {
        if (part_of(image_, at, 4 * names_.size()).empty()) return std::nullopt;
        Offsets offsets(names_.size());
        for (std::size_t i = 0; i < offsets.size(); i++) {
            offsets[i] = number_at<std::uint32_t>(image_, at + 4 * i);
        }
        if (!rises(offsets)) return std::nullopt;
        auto base = number_at<std::uint64_t>(image_, base_at);
        if (base == 0) base = relocated(image_, base_at);
        if (!is_kernel_address(base)) base = 0;
        // Without _text in the list it is known by the alignment of its address.
        if (!text_ && base == 0) return std::nullopt;
        const std::uint64_t first = text_ ? base + offsets[*text_] : link_base_of(image_, base);
        for (std::uint64_t& it : offsets) it += base - first;
        return listed(offsets, base == 0 ? 0 : first);
    }

    std::optional<ImageKallsyms> relative_to_place(std::size_t at) const {
        if (part_of(image_, at, 4 * names_.size()).empty()) return std::nullopt;
        Offsets offsets(names_.size());
        for (std::size_t i = 0; i < offsets.size(); i++) {
            const std::int64_t place = static_cast<std::int64_t>(at + 4 * i);
            const std::int64_t offset = place + number_at<std::int32_t>(image_, at + 4 * i);
            if (offset < 0) return std::nullopt;
            offsets[i] = static_cast<std::uint64_t>(offset);
        }
        if (!rises(offsets) || (text_ && offsets[*text_] != 0)) return std::nullopt;
        return listed(offsets, 0);
    }

    static bool rises(const Offsets& offsets) {
        return offsets.front() < offsets.back() && std::is_sorted(offsets.begin(), offsets.end());
    }

    std::optional<ImageKallsyms> listed(const Offsets& offsets, std::uint64_t base) const {
        const std::uint64_t begin = offsets[*stext_], end = offsets[*etext_];
        const bool pages = begin % kPageBytes == 0 && end % kPageBytes == 0;
        if (!pages || begin >= end || end > image_.size()) return std::nullopt;
        ImageKallsyms found{{}, base};
        for (std::size_t i = 0; i < offsets.size(); i++) {
            found.symbols.push_back({base + offsets[i], names_[i].front(), names_[i].substr(1)});
        }
        return found;
    }

    std::string_view image_;
    const KallsymsTokens& tokens_;
    const std::vector<std::string>& names_;
    std::size_t names_begin_;
    std::optional<std::size_t> text_, stext_, etext_;
};

}  // namespace

Result<ImageKallsyms> read_image_kallsyms(std::string_view image) {
    std::string cause = "it has no tables of kallsyms";
    for (const KallsymsTokens& tokens : find_kallsyms_tokens(image)) {
        const auto names = find_kallsyms_names(image, tokens);
        auto found = names ? OffsetsReader(image, tokens, *names).find() : std::nullopt;
        if (found) return std::move(*found);
        cause = names ? "no addresses go with the names of its kallsyms"
                      : "the tables of its kallsyms are damaged, or of a kind that is not known";
    }
    return fail("cannot find the kernel's symbols: " + cause,
                "give its System.map (--symbols FILE), or the vmlinux it was made from");
}

}  // namespace kcost::kernel
