#include "kernel/kernel_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"
#include "kernel/image_file.h"
#include "kernel/image_kallsyms.h"
#include "kernel/kallsyms_line.h"
#include "kernel/little_endian.h"

namespace kcost::kernel {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kBanner = "Linux version ";
constexpr std::string_view kBtfBegin = "\x9f\xeb\x01\0"sv;
// Programs that are built into a kernel may bring small ones of their own.
constexpr std::size_t kMostBtfs = 64;

/// The cause of an error about a file's content, with the file before it.
tl::unexpected<Error> about(const std::string& path, const Error& error) {
    return fail("cannot read " + path + ": " + error.what, error.hint, error.code);
}

const ListedSymbol* find(const std::vector<ListedSymbol>& symbols, std::string_view name) {
    const auto found = std::find_if(symbols.begin(), symbols.end(),
                                    [&](const ListedSymbol& it) { return it.name == name; });
    return found == symbols.end() ? nullptr : &*found;
}

Result<std::vector<ListedSymbol>> read_system_map(const std::string& path) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    std::vector<ListedSymbol> symbols;
    std::string_view rest = file->bytes();
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto parsed = parse_kallsyms_line(line);
        if (!parsed) continue;
        symbols.push_back({parse_hex(parsed->address), parsed->type, std::string(parsed->name)});
    }
    if (symbols.empty()) return fail("cannot read " + path + ": it is not a System.map");
    const auto before = [](const auto& a, const auto& b) { return a.address < b.address; };
    std::stable_sort(symbols.begin(), symbols.end(), before);
    return symbols;
}

Result<void> take_system_map(KernelImage& image, const std::string& path) {
    auto symbols = read_system_map(path);
    if (!symbols) return tl::unexpected(symbols.error());
    image.symbols = std::move(*symbols);
    if (image.base == 0) image.base = address_of(image, "_text");
    if (image.base == 0) return fail("cannot use " + path + ": it does not say where _text is");
    return {};
}

Result<void> take_symbols(KernelImage& image, const std::string& system_map) {
    if (!system_map.empty()) return take_system_map(image, system_map);
    if (!image.symbols.empty()) return {};
    auto found = read_image_kallsyms(image.bytes);
    if (!found) return about(image.path, found.error());
    image.symbols = std::move(found->symbols);
    image.base = found->base;
    return {};
}

/// Symbols of another build would find other code, and answers about that.
Result<void> check_symbols(const KernelImage& image, const std::string& system_map) {
    const ListedSymbol* banner = find(image.symbols, "linux_banner");
    const ListedSymbol* end = find(image.symbols, "_end");
    const std::uint64_t memory_bytes = memory_bytes_of(image.bytes);
    const bool banner_is_there =
        banner == nullptr ||
        part_of(image.bytes, banner->address - image.base, kBanner.size()) == kBanner;
    const bool end_is_there =
        end == nullptr || memory_bytes == 0 || end->address - image.base == memory_bytes;
    if (banner_is_there && end_is_there) return {};
    if (system_map.empty()) {
        return about(image.path, {"its symbols do not fit its content: it is damaged",
                                  "copy or fetch it again"});
    }
    return fail(
        "cannot use " + system_map + ": its symbols are those of another kernel than " + image.path,
        "give the System.map of the same build");
}

/// The word behind the banner's "Linux version".
std::string release_of(std::string_view bytes) {
    for (std::size_t at = bytes.find(kBanner); at != bytes.npos; at = bytes.find(kBanner, at + 1)) {
        const std::string_view rest = bytes.substr(at + kBanner.size(), 128);
        const std::string_view word = rest.substr(0, rest.find_first_of(" \0\n"sv));
        if (!word.empty() && word.front() >= '0' && word.front() <= '9') return std::string(word);
    }
    return "";
}

/// The largest, where symbols do not tell: CONFIG_KALLSYMS_ALL is not set.
std::optional<Btf> largest_btf(std::string_view bytes) {
    std::optional<Btf> largest;
    std::size_t seen = 0;
    for (std::size_t at = bytes.find(kBtfBegin); at != bytes.npos && seen < kMostBtfs;
         at = bytes.find(kBtfBegin, at + 1), seen++) {
        // Header, types, strings; each length is 32 bits.
        const std::uint64_t size = std::uint64_t{number_at<std::uint32_t>(bytes, at + 4)} +
                                   number_at<std::uint32_t>(bytes, at + 16) +
                                   number_at<std::uint32_t>(bytes, at + 20);
        auto parsed = Btf::parse(std::string(part_of(bytes, at, size)));
        if (!parsed) continue;
        if (!largest || parsed->types() > largest->types()) largest = std::move(*parsed);
    }
    return largest;
}

}  // namespace

std::uint64_t address_of(const KernelImage& image, const std::string& name) {
    const ListedSymbol* symbol = find(image.symbols, name);
    return symbol == nullptr ? 0 : symbol->address;
}

Result<KernelImage> read_kernel_image(const std::string& path, const std::string& system_map) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    auto read = read_image_file(file->bytes());
    if (!read) return about(path, read.error());
    KernelImage image{path, std::move(read->bytes), read->base, std::move(read->symbols), ""};
    auto taken = take_symbols(image, system_map);
    if (!taken) return tl::unexpected(taken.error());
    auto checked = check_symbols(image, system_map);
    if (!checked) return tl::unexpected(checked.error());
    image.release = release_of(image.bytes);
    return image;
}

Result<KernelText> text_of(const KernelImage& image) {
    KernelText kernel{Symbols::of(image.symbols), {}};
    const auto [begin, end] = kernel.symbols.kernel_text();
    if (begin == 0) {
        return about(image.path, {"its symbols do not tell where text begins (_stext)",
                                  "is it a kernel?", ExitCode::kCannotHere});
    }
    const std::string_view part =
        end > begin ? part_of(image.bytes, begin - image.base, end - begin) : std::string_view();
    if (part.empty()) {
        return about(image.path,
                     {fmt::format("its text, from {:#x} to {:#x}, is not in it whole", begin, end),
                      "copy or fetch it again"});
    }
    kernel.text.begin = begin;
    kernel.text.words.resize(part.size() / 4);
    std::memcpy(kernel.text.words.data(), part.data(), 4 * kernel.text.words.size());
    return kernel;
}

Result<Btf> types_of(const KernelImage& image) {
    const std::uint64_t begin = address_of(image, "__start_BTF");
    const std::uint64_t end = address_of(image, "__stop_BTF");
    if (begin != 0 && end > begin) {
        return Btf::parse(std::string(part_of(image.bytes, begin - image.base, end - begin)));
    }
    auto largest = largest_btf(image.bytes);
    if (largest) return std::move(*largest);
    return fail("cannot read the kernel's type information: " + image.path + " has none",
                "build it with CONFIG_DEBUG_INFO_BTF=y", ExitCode::kCannotHere);
}

}  // namespace kcost::kernel
