#include "probe/own_probes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/fd.h"
#include "bpf/abi.h"
#include "kernel/capability.h"
#include "kernel/user_maps.h"
#include "own_probes.skel.h"
#include "probe/libbpf.h"

namespace kcost::probe {
namespace {

constexpr const char* kOwnProgram = "/proc/self/exe";
#if defined(__aarch64__)
constexpr std::size_t kInstruction_bytes = 4;
#else
constexpr std::size_t kInstruction_bytes = 1;
#endif

struct SkeletonDeleter {
    void operator()(own_probes_bpf* skeleton) const { own_probes_bpf__destroy(skeleton); }
};
using Skeleton = std::unique_ptr<own_probes_bpf, SkeletonDeleter>;

// Not by its name: a stripped file has none.
Result<std::uint64_t> file_offset(const model::ProbedFunction& function) {
    auto maps = kernel::UserMaps::read({}, static_cast<std::uint32_t>(::getpid()));
    if (!maps) return tl::unexpected(maps.error());
    auto offset = maps->file_offset(reinterpret_cast<std::uint64_t>(function.function));
    if (offset) return *offset;
    return fail(std::string("cannot find ") + function.name + " in /proc/self/maps");
}

Result<Skeleton> load() {
    Skeleton skeleton(own_probes_bpf__open_and_load());
    if (skeleton) return skeleton;
    return fail("cannot load BPF programs: " + explain_libbpf_failure(errno),
                "kcost doctor tells what is missing", ExitCode::kCannotHere);
}

Result<Link> attach_one(bpf_program* program, const model::ProbedFunction& function) {
    auto offset = file_offset(function);
    if (!offset) return tl::unexpected(offset.error());
    LIBBPF_OPTS(bpf_uprobe_opts, options, .retprobe = function.at_return);
    Link link(bpf_program__attach_uprobe_opts(program, -1, kOwnProgram, *offset, &options));
    if (link) return link;
    return fail(std::string("cannot put a user probe on ") + function.name + ": " +
                    explain_libbpf_failure(errno),
                "kcost doctor tells what is missing", ExitCode::kCannotHere);
}

}  // namespace

struct OwnProbes::State {
    Skeleton skeleton;
    std::vector<Link> links;
};

OwnProbes::OwnProbes(std::unique_ptr<State> state) : state_(std::move(state)) {}
OwnProbes::OwnProbes(OwnProbes&&) noexcept = default;
OwnProbes& OwnProbes::operator=(OwnProbes&&) noexcept = default;
OwnProbes::~OwnProbes() = default;

Result<std::uint32_t> first_instruction(const model::ProbedFunction& function) {
    auto offset = file_offset(function);
    if (!offset) return tl::unexpected(offset.error());
    const Fd file(::open(kOwnProgram, O_RDONLY | O_CLOEXEC));
    std::uint32_t word = 0;
    const ssize_t got = ::pread(file.get(), &word, kInstruction_bytes, static_cast<off_t>(*offset));
    if (got == static_cast<ssize_t>(kInstruction_bytes)) return word;
    return fail(std::string("cannot read kcost's own file: ") + std::strerror(errno));
}

Result<OwnProbes> OwnProbes::attach(std::span<const model::ProbedFunction> functions) {
    take_over_libbpf_messages();
    auto rights = kernel::require_tracing_rights({});
    if (!rights) return tl::unexpected(rights.error());
    auto skeleton = load();
    if (!skeleton) return tl::unexpected(skeleton.error());
    auto state = std::make_unique<State>();
    state->skeleton = std::move(*skeleton);
    for (const model::ProbedFunction& function : functions) {
        auto link = attach_one(state->skeleton->progs.kc_bench, function);
        if (!link) return tl::unexpected(link.error());
        state->links.push_back(std::move(*link));
    }
    return OwnProbes(std::move(state));
}

std::uint64_t OwnProbes::hits() const {
    std::uint64_t sum = 0;
    for (const kc_bench_cpu& cpu : state_->skeleton->bss->kc_hits) sum += cpu.hits;
    return sum;
}

}  // namespace kcost::probe
