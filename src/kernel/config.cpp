#include "kernel/config.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/digest.h"
#include "base/text.h"

namespace kcost::kernel {

namespace {

/// Reads a file, unpacked where it is gzip's. A configuration is some 300 KB.
Result<std::string> read_maybe_gzip(const std::string& path) {
    constexpr std::size_t kMostBytes = 8 << 20;
    errno = 0;
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzopen(path.c_str(), "rbe"), ::gzclose);
    if (!file) return fail("cannot open " + path + ": " + std::strerror(errno));
    std::string text;
    std::array<char, 16384> part;
    for (;;) {
        const int got = ::gzread(file.get(), part.data(), part.size());
        if (got < 0) return fail("cannot read " + path + ": it is damaged");
        if (got == 0) return text;
        text.append(part.data(), static_cast<std::size_t>(got));
        if (text.size() > kMostBytes) return fail("cannot read " + path + ": it is too long");
    }
}

}  // namespace

KernelConfig::KernelConfig(std::string text, std::string source)
    : text_("\n" + std::move(text)), source_(std::move(source)) {}

Result<KernelConfig> KernelConfig::read(const Root& root, std::string_view release) {
    const std::string version(release);
    // The running kernel's own word first; Fedora and RHEL keep theirs beside the modules.
    const std::array<std::string, 3> paths = {"/proc/config.gz", "/boot/config-" + version,
                                              "/lib/modules/" + version + "/config"};
    for (const std::string& path : paths) {
        auto text = read_maybe_gzip(root.at(path));
        if (text && text->find("CONFIG_") != std::string::npos) {
            return KernelConfig(std::move(*text), path);
        }
    }
    return fail("cannot read the kernel's configuration: neither " + paths[0] + " nor " + paths[1] +
                " nor " + paths[2] + " can be read");
}

std::string KernelConfig::value(std::string_view option) const {
    const std::string start = "\nCONFIG_" + std::string(option) + "=";
    const std::size_t at = text_.find(start);
    if (at == std::string::npos) return "n";
    const std::size_t begin = at + start.size();
    return text_.substr(begin, text_.find('\n', begin) - begin);
}

bool KernelConfig::enabled(std::string_view option) const {
    const std::string set = value(option);
    return set == "y" || set == "m";
}

std::uint64_t KernelConfig::digest() const {
    Digest digest;
    for (const std::string_view line : split(text_, '\n')) {
        // Its name is no option: builders tell by it what they compare.
        if (!line.starts_with("CONFIG_") || line.starts_with("CONFIG_LOCALVERSION=")) continue;
        digest.add_bytes(line);
        digest.add_bytes("\n");
    }
    return digest.value();
}

}  // namespace kcost::kernel
