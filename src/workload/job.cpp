#include "workload/job.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace kcost::workload {
namespace {

// What does not fit is cut: another process reads it, so it must lie in the shared memory itself.
template <std::size_t N>
void copy_text(char (&to)[N], std::string_view text) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

}  // namespace

struct alignas(128) Job::Shared {
    std::atomic<bool> stop;
    std::atomic<unsigned> arrived;
    std::atomic<int> failing;  ///< processes that wrote, or are about to write, an error
    std::atomic<bool> failed;  ///< the error is whole
    ExitCode code;
    char what[512];
    char hint[256];
    char note[256];
};

Result<Job> Job::create(const RunPlan& plan) {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
                  "a lock would be of one process");
    Job job;
    job.plan_ = &plan;
    job.bytes_ = sizeof(Shared) + plan.member_cpus.size() * sizeof(Counter);
    void* memory =
        ::mmap(nullptr, job.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return fail(std::string("cannot map shared memory: ") + std::strerror(errno));
    }
    job.shared_ = new (memory) Shared{};
    for (unsigned i = 0; i < job.members(); i++) new (&job.counter(i)) Counter{};
    return job;
}

Job::Job(Job&& other) noexcept
    : plan_(other.plan_), shared_(std::exchange(other.shared_, nullptr)), bytes_(other.bytes_) {}

Job::~Job() {
    if (shared_) ::munmap(shared_, bytes_);
}

Counter& Job::counter(unsigned member) const {
    return reinterpret_cast<Counter*>(shared_ + 1)[member];
}

void Job::arrive() { shared_->arrived.fetch_add(1); }
unsigned Job::arrived() const { return shared_->arrived.load(); }

void Job::stop() { shared_->stop.store(true); }
bool Job::stopped() const { return shared_->stop.load(std::memory_order_relaxed); }

void Job::note(std::string_view line) { copy_text(shared_->note, line); }
std::string Job::note() const { return shared_->note; }

void Job::keep(const Error& error) {
    if (shared_->failing.fetch_add(1) > 0) return;
    copy_text(shared_->what, error.what);
    copy_text(shared_->hint, error.hint);
    shared_->code = error.code;
    shared_->failed.store(true);
}

std::optional<Error> Job::error() const {
    if (!shared_->failed.load()) return std::nullopt;
    return Error{shared_->what, shared_->hint, shared_->code};
}

}  // namespace kcost::workload
