#include "kernel/kallsyms_tables.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernel/little_endian.h"

namespace kcost::kernel {
namespace {

constexpr std::size_t kTokens = 256;
constexpr std::size_t kIndexBytes = 2 * kTokens;
// The kernel's own limit of a name, KSYM_NAME_LEN.
constexpr std::size_t kLongestName = 512;
constexpr std::size_t kAlignment = 8;
// A hostile image may have many of everything; a kernel has one.
constexpr std::size_t kMostTokenTables = 8;
constexpr std::size_t kMostMarkerTables = 64;
constexpr std::size_t kMostSymbols = 4'000'000;
constexpr std::size_t kMostNameBytes = std::size_t{1} << 27;
// Between the markers and the tokens: three bytes a symbol at most.
constexpr std::size_t kMarkersNotFurther = std::size_t{1} << 23;
constexpr std::size_t kNamesPerMarker = 256;
constexpr std::size_t kLongestPacked = 2 + kLongestName;

std::uint32_t word_at(std::string_view image, std::size_t offset) {
    return number_at<std::uint32_t>(image, offset);
}

bool is_index(std::string_view image, std::size_t at) {
    std::uint16_t before = number_at<std::uint16_t>(image, at);
    if (before != 0) return false;
    for (std::size_t i = 1; i < kTokens; i++) {
        const auto next = number_at<std::uint16_t>(image, at + 2 * i);
        if (next <= before || next - before > static_cast<int>(kLongestName)) return false;
        before = next;
    }
    return true;
}

/// The tokens, if the table begins there: each string is as long as the index says, and behind the
/// last there are only zeros.
std::optional<KallsymsTokens> tokens_at(std::string_view image, std::size_t begin,
                                        std::size_t index) {
    KallsymsTokens found{begin, index + kIndexBytes, {}};
    for (std::size_t i = 0; i < kTokens; i++) {
        const std::size_t at = begin + number_at<std::uint16_t>(image, index + 2 * i);
        const std::size_t next = begin + number_at<std::uint16_t>(image, index + 2 * (i + 1));
        const std::size_t end = image.find('\0', at);
        const bool last = i + 1 == kTokens;
        if (end >= index || (!last && end + 1 != next)) return std::nullopt;
        found.tokens[i] = image.substr(at, end - at);
        if (!last) continue;
        const std::string_view behind = image.substr(end, index - end);
        const bool padded =
            behind.size() <= kAlignment && behind.find_first_not_of('\0') == std::string_view::npos;
        if (!padded) return std::nullopt;
    }
    return found;
}

std::optional<KallsymsTokens> tokens_before(std::string_view image, std::size_t index) {
    const std::size_t last = number_at<std::uint16_t>(image, index + kIndexBytes - 2);
    const std::size_t shortest = last + 1;
    for (std::size_t bytes = shortest; bytes <= shortest + kLongestName + kAlignment; bytes++) {
        if (bytes > index) break;
        auto found = tokens_at(image, index - bytes, index);
        if (found) return found;
    }
    return std::nullopt;
}

/// How many markers stand there: the first is 0, and no 256 names have less than two bytes each.
std::size_t markers_at(std::string_view image, std::size_t begin, std::size_t end) {
    if (word_at(image, begin) != 0) return 0;
    std::size_t count = 1;
    std::uint64_t before = 0;
    for (std::size_t at = begin + 4; at + 4 <= end; at += 4, count++) {
        const std::uint64_t next = word_at(image, at);
        if (next < before + 2 * kNamesPerMarker) break;
        if (next > before + kLongestPacked * kNamesPerMarker) break;
        before = next;
    }
    return count;
}

/// One place where markers may stand, with the names before it.
class NamesReader {
public:
    NamesReader(std::string_view image, const KallsymsTokens& tokens, std::size_t markers,
                std::size_t count)
        : image_(image), tokens_(tokens), markers_(markers), markers_count_(count) {}

    std::optional<KallsymsNames> find() const {
        const std::size_t least = marker(markers_count_ - 1);
        const std::size_t most = least + kLongestPacked * kNamesPerMarker + kAlignment;
        for (std::size_t bytes = least; bytes <= most && bytes + kAlignment <= markers_; bytes++) {
            const std::size_t begin = markers_ - bytes;
            if (begin % 4 != 0) continue;
            for (const std::size_t before : {std::size_t{4}, kAlignment}) {
                auto names = names_at(begin, word_at(image_, begin - before));
                if (names) return KallsymsNames{begin - before, std::move(*names)};
            }
        }
        return std::nullopt;
    }

private:
    std::size_t marker(std::size_t i) const { return word_at(image_, markers_ + 4 * i); }

    std::optional<std::vector<std::string>> names_at(std::size_t begin, std::size_t count) const {
        if (count == 0 || count > kMostSymbols) return std::nullopt;
        if ((count + kNamesPerMarker - 1) / kNamesPerMarker != markers_count_) return std::nullopt;
        std::vector<std::string> names;
        std::size_t at = begin, bytes = 0;
        for (std::size_t i = 0; i < count; i++) {
            const std::size_t group = i / kNamesPerMarker;
            if (i % kNamesPerMarker == 0 && at - begin != marker(group)) return std::nullopt;
            auto name = next_name(at);
            if (!name) return std::nullopt;
            bytes += name->size();
            if (bytes > kMostNameBytes) return std::nullopt;
            names.push_back(std::move(*name));
        }
        return at <= markers_ && markers_ - at < kAlignment ? std::optional(std::move(names))
                                                            : std::nullopt;
    }

    std::optional<std::string> next_name(std::size_t& at) const {
        std::size_t length = number_at<std::uint8_t>(image_, at++);
        if ((length & 0x80) != 0) {
            length = (length & 0x7f) | std::size_t{number_at<std::uint8_t>(image_, at++)} << 7;
        }
        if (length == 0 || length > kLongestName || at + length > markers_) return std::nullopt;
        std::string name;
        for (const std::size_t end = at + length; at < end; at++) {
            name += tokens_.tokens[static_cast<unsigned char>(image_[at])];
        }
        // A symbol has a type and at least one letter.
        if (name.size() < 2 || name.size() > kLongestName) return std::nullopt;
        return name;
    }

    std::string_view image_;
    const KallsymsTokens& tokens_;
    std::size_t markers_;
    std::size_t markers_count_;
};

}  // namespace

std::vector<KallsymsTokens> find_kallsyms_tokens(std::string_view image) {
    std::vector<KallsymsTokens> found;
    for (std::size_t at = 0; at + kIndexBytes <= image.size(); at += 4) {
        if (!is_index(image, at)) continue;
        auto tokens = tokens_before(image, at);
        if (tokens) found.push_back(std::move(*tokens));
        if (found.size() == kMostTokenTables) break;
    }
    return found;
}

std::optional<KallsymsNames> find_kallsyms_names(std::string_view image,
                                                 const KallsymsTokens& tokens) {
    const std::size_t last = tokens.begin & ~std::size_t{3};
    const std::size_t first = last - std::min(last, kMarkersNotFurther);
    std::size_t tried = 0;
    for (std::size_t at = last; at > first && tried < kMostMarkerTables; at -= 4) {
        const std::size_t markers = markers_at(image, at, tokens.begin);
        if (markers == 0) continue;
        // Zeros are everywhere; few have what goes up by names behind them.
        if (markers == 1 && at + 4 + kAlignment <= tokens.begin) continue;
        tried++;
        auto names = NamesReader(image, tokens, at, markers).find();
        // What follows them may look like one more.
        if (!names && markers > 1) names = NamesReader(image, tokens, at, markers - 1).find();
        if (names) return names;
    }
    return std::nullopt;
}

}  // namespace kcost::kernel
