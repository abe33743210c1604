#include "kernel/limits.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace kcost::kernel {

Result<std::uint64_t> raise_open_files(std::uint64_t wanted) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return fail(std::string("cannot read the limit of open files: ") + std::strerror(errno));
    }
    rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max;
    if (wanted > limit.rlim_max) raised.rlim_cur = raised.rlim_max = wanted;
    // Without CAP_SYS_RESOURCE the hard limit stays; the soft one can always reach it.
    if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) {
        raised.rlim_cur = raised.rlim_max = limit.rlim_max;
        if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) raised = limit;
    }
    if (raised.rlim_cur >= wanted) return raised.rlim_cur;
    return fail("cannot open " + std::to_string(wanted) + " files: the limit is " +
                    std::to_string(raised.rlim_cur),
                "ulimit -n " + std::to_string(wanted) + ", or fewer targets");
}

Result<std::uint64_t> open_files() {
    std::error_code error;
    std::uint64_t count = 0;
    for (std::filesystem::directory_iterator it("/proc/self/fd", error), end; it != end;
         it.increment(error)) {
        count++;
    }
    if (error) return fail("cannot read /proc/self/fd: " + error.message());
    return count - 1;  // the folder itself
}

}  // namespace kcost::kernel
