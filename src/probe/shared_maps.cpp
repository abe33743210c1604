#include "probe/shared_maps.h"

#include <algorithm>
#include <bit>

#include "span.skel.h"

namespace kcost::probe {
namespace {

// Kernel memory of one entry of the preallocated maps, roughly: value, key, bucket and header.
constexpr std::size_t kStackBytes = 8 * KC_STACK_FRAMES + 64;
constexpr std::size_t kPayerBytes = sizeof(kc_payer_key) + sizeof(kc_payer) + 72;
constexpr std::uint32_t kMostSets = 32768;
constexpr std::uint32_t kLeastSets = 256;
constexpr std::uint32_t kLeastStacks = 256;

Result<void> set_size(bpf_map* map, std::uint32_t entries) {
    int error = bpf_map__set_max_entries(map, entries);
    if (error) return fail("cannot size a BPF map: " + explain_libbpf_failure(error));
    return {};
}

}  // namespace

void SkeletonDeleter::operator()(span_bpf* skeleton) const { span_bpf::destroy(skeleton); }

std::size_t SharedMapSizes::bytes() const {
    return sets * sizeof(kc_set) + sites * sizeof(std::uint64_t) + stacks * kStackBytes +
           payers * kPayerBytes;
}

SharedMapSizes choose_sizes(std::uint64_t threads, std::uint32_t sites, std::size_t limit_bytes) {
    SharedMapSizes sizes;
    sizes.sites = std::max(sites, 1u);
    // A set holds four tasks and pids fill the sets evenly, so a set for each thread is plenty;
    // the surplus is for threads that start later.
    std::uint64_t wanted = std::max<std::uint64_t>(2 * threads, 4096);
    sizes.sets = static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp<std::uint64_t>(wanted, kLeastSets, kMostSets)));
    sizes.stacks = 8192;
    sizes.payers = 16384;
    while (sizes.bytes() > limit_bytes &&
           (sizes.stacks > kLeastStacks || sizes.sets > kLeastSets)) {
        bool payers_may_shrink = sizes.stacks > kLeastStacks;
        if (payers_may_shrink) sizes.stacks /= 2;
        if (payers_may_shrink) sizes.payers /= 2;
        if (sizes.bytes() > limit_bytes && sizes.sets > kLeastSets) sizes.sets /= 2;
    }
    return sizes;
}

Result<SharedMaps> SharedMaps::create(const SharedMapSizes& sizes) {
    SharedMaps shared;
    shared.sizes_ = sizes;
    shared.skeleton_.reset(span_bpf::open());
    if (!shared.skeleton_) {
        return fail("cannot open kcost's BPF programs: " + explain_libbpf_failure(errno));
    }
    span_bpf& skeleton = *shared.skeleton_;
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, skeleton.obj) {
        bpf_program__set_autoload(program, program == skeleton.progs.kc_beat);
    }
    auto& maps = skeleton.maps;
    for (auto [map, entries] :
         {std::pair{maps.kc_tasks, sizes.sets}, std::pair{maps.kc_discarded, sizes.sites},
          std::pair{maps.kc_stacks, sizes.stacks}, std::pair{maps.kc_payers, sizes.payers}}) {
        auto done = set_size(map, entries);
        if (!done) return tl::unexpected(done.error());
    }
    if (int error = span_bpf::load(&skeleton)) {
        return fail("cannot load kcost's BPF programs: " + explain_libbpf_failure(error),
                    "kcost doctor tells what is missing", ExitCode::kCannotHere);
    }
    shared.control_ = &skeleton.data_control->control;
    auto sets = MappedMap::map(bpf_map__fd(maps.kc_tasks), sizes.sets * sizeof(kc_set));
    if (!sets) return tl::unexpected(sets.error());
    shared.sets_ = std::move(*sets);
    auto discarded = MappedMap::map(bpf_map__fd(maps.kc_discarded), sizes.sites * 8);
    if (!discarded) return tl::unexpected(discarded.error());
    shared.discarded_ = std::move(*discarded);
    return shared;
}

Result<void> SharedMaps::lend_to(span_bpf& other) const {
    const auto& own = skeleton_->maps;
    for (auto [theirs, ours] : {std::pair{other.maps.data_control, own.data_control},
                                std::pair{other.maps.kc_tasks, own.kc_tasks},
                                std::pair{other.maps.kc_discarded, own.kc_discarded},
                                std::pair{other.maps.kc_stacks, own.kc_stacks},
                                std::pair{other.maps.kc_payers, own.kc_payers}}) {
        if (int error = bpf_map__reuse_fd(theirs, bpf_map__fd(ours))) {
            return fail("cannot share a BPF map: " + explain_libbpf_failure(error));
        }
    }
    return {};
}

Result<void> SharedMaps::run_beat() {
    LIBBPF_OPTS(bpf_test_run_opts, options);
    int error = bpf_prog_test_run_opts(bpf_program__fd(skeleton_->progs.kc_beat), &options);
    if (error) return fail("cannot run the heartbeat program: " + explain_libbpf_failure(error));
    return {};
}

int SharedMaps::stacks_fd() const { return bpf_map__fd(skeleton_->maps.kc_stacks); }
int SharedMaps::payers_fd() const { return bpf_map__fd(skeleton_->maps.kc_payers); }

}  // namespace kcost::probe
