#include "cli/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace kcost {

Result<void> check_output(const std::string& path) {
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty()) folder = ".";
    struct stat status;
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fail("cannot write " + path + ": there is no folder " + folder.string(),
                    "-o FILE in a folder that exists");
    }
    bool other = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    if (other) return fail("cannot write " + path + ": it is not a regular file", "-o FILE");
    // A file beside it, as will be written: rights, the name's length and the file system.
    std::string trial = path + ".XXXXXX";
    int fd = path.empty() ? -1 : ::mkstemp(trial.data());
    if (fd < 0) {
        std::string cause = path.empty() ? "it has no name" : std::strerror(errno);
        return fail("cannot write " + path + ": " + cause, "-o FILE in a folder of yours");
    }
    ::close(fd);
    ::unlink(trial.c_str());
    return {};
}

}  // namespace kcost
