#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace kcost {

Result<MappedFile> MappedFile::open(const std::string& path) {
    // A pipe in its place would make open() wait for a writer.
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (!file || ::fstat(file.get(), &status) != 0) {
        return fail("cannot read " + path + ": " + std::strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) return fail("cannot read " + path + ": it is not a file");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return MappedFile(nullptr, 0);
    void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (bytes == MAP_FAILED) return fail("cannot read " + path + ": " + std::strerror(errno));
    return MappedFile(bytes, size);
}

MappedFile::~MappedFile() {
    if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

}  // namespace kcost
