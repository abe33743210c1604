#include "probe/sample_ring.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace kcost::probe {
namespace {

constexpr std::size_t kRing_bytes = std::size_t{512} << 10;

// PERF_CONTEXT_*: marks in a stack, no addresses.
bool is_mark(std::uint64_t address) { return address >= static_cast<std::uint64_t>(-4095); }

}  // namespace

Result<SampleRing> SampleRing::open(perf_event_attr& attributes, unsigned cpu) {
    SampleRing ring;
    ring.event_ = Fd(static_cast<int>(
        ::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!ring.event_) {
        return fail(fmt::format("cannot sample on CPU {}: {}", cpu, std::strerror(errno)),
                    "kcost doctor tells what is missing", ExitCode::kCannotHere);
    }
    ring.page_bytes_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    ring.data_bytes_ = std::bit_ceil(std::max(kRing_bytes, ring.page_bytes_));
    void* memory = ::mmap(nullptr, ring.page_bytes_ + ring.data_bytes_, PROT_READ | PROT_WRITE,
                          MAP_SHARED, ring.event_.get(), 0);
    if (memory == MAP_FAILED) {
        return fail(fmt::format("cannot map the samples of CPU {}: {}", cpu, std::strerror(errno)),
                    "ulimit -l unlimited, or sudo", ExitCode::kCannotHere);
    }
    ring.memory_ = static_cast<unsigned char*>(memory);
    return ring;
}

SampleRing::SampleRing(SampleRing&& other) noexcept
    : event_(std::move(other.event_)),
      memory_(std::exchange(other.memory_, nullptr)),
      page_bytes_(other.page_bytes_),
      data_bytes_(other.data_bytes_),
      lost_(other.lost_),
      throttled_(other.throttled_),
      words_(std::move(other.words_)) {}

SampleRing::~SampleRing() {
    if (memory_ != nullptr) ::munmap(memory_, page_bytes_ + data_bytes_);
}

void SampleRing::enable(bool on) const {
    ::ioctl(event_.get(), on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

// Records may lie across the end.
void SampleRing::read(std::uint64_t at, void* to, std::size_t bytes) const {
    const std::size_t begin = at & (data_bytes_ - 1);
    const std::size_t first = std::min(bytes, data_bytes_ - begin);
    std::memcpy(to, memory_ + page_bytes_ + begin, first);
    std::memcpy(static_cast<unsigned char*>(to) + first, memory_ + page_bytes_, bytes - first);
}

void SampleRing::drain(const std::function<void(const Sample&)>& take) {
    auto* page = reinterpret_cast<perf_event_mmap_page*>(memory_);
    const std::uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = page->data_tail;
    while (head - tail >= sizeof(perf_event_header)) {
        perf_event_header header;
        read(tail, &header, sizeof header);
        if (header.size < sizeof header || header.size > head - tail) {
            throttled_ = true;  // how many there were is not known
            break;
        }
        take_record(tail + sizeof header, header.type, header.misc, header.size - sizeof header,
                    take);
        tail += header.size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

// A sample: the address, the number of frames, the frames. A loss: an id, the number.
void SampleRing::take_record(std::uint64_t at, std::uint32_t type, std::uint16_t misc,
                             std::size_t bytes, const std::function<void(const Sample&)>& take) {
    words_.resize(bytes / sizeof(std::uint64_t));
    read(at, words_.data(), words_.size() * sizeof(std::uint64_t));
    if (type == PERF_RECORD_THROTTLE) throttled_ = true;
    if (type == PERF_RECORD_LOST && words_.size() >= 2) lost_ += words_[1];
    if (type != PERF_RECORD_SAMPLE || words_.size() < 2) return;
    const std::size_t frames = std::min<std::size_t>(words_[1], words_.size() - 2);
    std::vector<std::uint64_t> stack = {words_[0]};
    for (std::size_t i = 2; i < 2 + frames; i++) {
        const bool leaf_again = stack.size() == 1 && words_[i] == words_[0];
        if (!is_mark(words_[i]) && !leaf_again) stack.push_back(words_[i]);
    }
    const bool in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
    if (!in_kernel) stack.clear();
    take({in_kernel, stack});
}

}  // namespace kcost::probe
