#include "workload/page_reuse.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "workload/pin.h"

namespace kcost::workload {
namespace {

tl::unexpected<Error> fail_to(const char* what) {
    return fail(std::string("cannot ") + what + ": " + std::strerror(errno));
}

struct Unmap {
    std::size_t bytes;
    void operator()(char* memory) const { ::munmap(memory, bytes); }
};
using Pages = std::unique_ptr<char, Unmap>;

Result<Pages> map_pages(std::size_t bytes) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return fail_to("map the pages");
    Pages pages(static_cast<char*>(memory), Unmap{bytes});
    // Without huge pages in the kernel there is nothing to switch off.
    if (::madvise(memory, bytes, MADV_NOHUGEPAGE) && errno != EINVAL) {
        return fail_to("switch off huge pages");
    }
    return pages;
}

void write_each(volatile char* pages, std::uint32_t n, std::size_t page_bytes) {
    for (std::uint32_t i = 0; i < n; i++) pages[i * page_bytes] = static_cast<char>(i);
}

Result<void> fork_and_reap() {
    pid_t child = ::fork();
    if (child < 0) return fail_to("fork");
    if (child == 0) ::_exit(0);
    if (::waitpid(child, nullptr, 0) != child) return fail_to("wait for a child");
    return {};
}

}  // namespace

Result<void> page_reuse(std::uint32_t pages) {
    // A new page waits in its CPU's batch for the LRU lists, which holds a reference. A write fault
    // drains the batch of its own CPU only, so after a migration some pages are copied, not reused.
    auto pinned = pin_to_one_cpu();
    if (!pinned) return pinned;
    auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto memory = map_pages(pages * page_bytes);
    if (!memory) return tl::unexpected(memory.error());
    write_each(memory->get(), pages, page_bytes);
    auto reaped = fork_and_reap();
    if (!reaped) return reaped;
    write_each(memory->get(), pages, page_bytes);
    return {};
}

}  // namespace kcost::workload
