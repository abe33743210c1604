#include "kernel/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace kcost::kernel {
namespace {

using namespace std::string_view_literals;

// An Image has 50 MB; few bytes may be made to unpack into very many.
constexpr std::size_t kMostBytes = std::size_t{1} << 29;
constexpr std::size_t kStepBytes = std::size_t{1} << 20;

struct Packing {
    std::string_view begin;  ///< what such a file begins with
    const char* name;
    const char* unpacked_by;  ///< null: by us
};
constexpr Packing kPackings[] = {
    {"\x1f\x8b"sv, "gzip", nullptr},          {"\x28\xb5\x2f\xfd"sv, "zstd", nullptr},
    {"\xfd\x37zXZ\0"sv, "xz", "xz -dc"},      {"\x5d\0\0"sv, "lzma", "xz -dc --format=lzma"},
    {"BZh"sv, "bzip2", "bzip2 -dc"},          {"\x04\x22\x4d\x18"sv, "lz4", "lz4 -dc"},
    {"\x02\x21\x4c\x18"sv, "lz4", "lz4 -dc"}, {"\x89LZO\0"sv, "lzo", "lzop -dc"}};

tl::unexpected<Error> damaged(const char* packing, const char* cause) {
    return fail(std::string("its ") + packing + " data " + cause, "copy or fetch it again");
}

tl::unexpected<Error> too_long(const char* packing) {
    return damaged(packing, "unpacks to more than any kernel has");
}

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

Result<std::string> unpack_gzip(std::string_view bytes) {
    constexpr int kGzip = 16;
    constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();
    z_stream stream{};
    if (inflateInit2(&stream, kGzip + MAX_WBITS) != Z_OK) return damaged("gzip", "takes no memory");
    const std::unique_ptr<z_stream, InflateEnd> owner(&stream);
    // zlib does not write to it, it only does not say so.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(std::min(bytes.size(), kMostAtOnce));
    std::string unpacked;
    int status = Z_OK;
    while (status == Z_OK) {
        const std::size_t done = unpacked.size();
        if (done >= kMostBytes) return too_long("gzip");
        unpacked.resize(done + kStepBytes);
        stream.next_out = reinterpret_cast<Bytef*>(unpacked.data() + done);
        stream.avail_out = kStepBytes;
        status = inflate(&stream, Z_NO_FLUSH);
        unpacked.resize(done + kStepBytes - stream.avail_out);
    }
    if (status == Z_STREAM_END) return unpacked;
    return damaged("gzip", status == Z_BUF_ERROR ? "is cut off" : "is damaged");
}

struct ZstdFree {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

Result<std::string> unpack_zstd(std::string_view bytes) {
    const std::unique_ptr<ZSTD_DStream, ZstdFree> stream(ZSTD_createDStream());
    if (!stream) return damaged("zstd", "takes no memory");
    // Kernels are packed with windows up to 128 MB (zstd -22 --ultra).
    ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, 27);
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::string unpacked;
    for (;;) {
        const std::size_t done = unpacked.size();
        if (done >= kMostBytes) return too_long("zstd");
        unpacked.resize(done + kStepBytes);
        ZSTD_outBuffer out{unpacked.data() + done, kStepBytes, 0};
        const std::size_t status = ZSTD_decompressStream(stream.get(), &out, &in);
        unpacked.resize(done + out.pos);
        if (ZSTD_isError(status)) return damaged("zstd", "is damaged");
        if (status == 0) return unpacked;
        if (out.pos == 0 && in.pos == in.size) return damaged("zstd", "is cut off");
    }
}

}  // namespace

std::string packing_of(std::string_view bytes) {
    for (const Packing& it : kPackings) {
        if (bytes.starts_with(it.begin)) return it.name;
    }
    return "";
}

Result<std::string> unpack(std::string_view bytes, const std::string& packing) {
    if (packing == "gzip") return unpack_gzip(bytes);
    if (packing == "zstd") return unpack_zstd(bytes);
    for (const Packing& it : kPackings) {
        if (packing != it.name) continue;
        return fail("it is packed by " + packing + ", which kcost does not unpack",
                    std::string("unpack it first: ") + it.unpacked_by + " FILE > IMAGE");
    }
    return fail("it is packed by '" + packing + "', which kcost does not know");
}

}  // namespace kcost::kernel
