#include "probe/span_programs.h"

#include <algorithm>
#include <cerrno>

#include "kernel/cpus.h"
#include "model/histogram.h"
#include "probe/fill_in_settings.h"
#include "probe/link_misses.h"
#include "span.skel.h"

namespace kcost::probe {

const char* name_of(Mechanism mechanism) {
    switch (mechanism) {
        case Mechanism::kFentry:
            return "fentry";
        case Mechanism::kKprobe:
            return "kprobe";
        case Mechanism::kOpsite:
            return "opsite";
        case Mechanism::kHwbreak:
            return "hwbreak";
        case Mechanism::kUser:
            return "user";
    }
    return "";
}

std::size_t site_bytes(const kc_settings& settings) {
    return std::size_t{settings.cpus} * settings.splits * sizeof(kc_cell) +
           KC_SPLITS * sizeof(kc_split) + 2 * 4096;
}

Result<SpanPrograms> SpanPrograms::attach(Mechanism mechanism, const Place& place,
                                          const kc_settings& settings, const SharedMaps& shared) {
    SpanPrograms site;
    site.mechanism_ = mechanism;
    site.settings_ = settings;
    if (mechanism == Mechanism::kHwbreak) site.settings_.flags |= KC_FLAG_REPLAYS;
    auto loaded = site.load(mechanism, place, shared);
    if (!loaded) return tl::unexpected(loaded.error());
    auto attached = site.attach_links(place);
    if (!attached) return tl::unexpected(attached.error());
    return site;
}

void SpanPrograms::choose_programs() {
    auto& programs = skeleton_->progs;
    switch (mechanism_) {
        case Mechanism::kFentry:
            entry_ = programs.kc_fentry;
            exit_ = programs.kc_fexit;
            break;
        case Mechanism::kKprobe:
        case Mechanism::kUser:
            entry_ = programs.kc_kprobe;
            exit_ = programs.kc_kretprobe;
            break;
        case Mechanism::kOpsite:
            entry_ = programs.kc_kprobe;
            exit_ = programs.kc_amid_exit;
            break;
        case Mechanism::kHwbreak:
            entry_ = programs.kc_break;
            exit_ = programs.kc_break_exit;
            break;
    }
}

Result<void> SpanPrograms::load(Mechanism mechanism, const Place& place, const SharedMaps& shared) {
    skeleton_.reset(span_bpf::open());
    if (!skeleton_) return fail("cannot open the programs: " + explain_libbpf_failure(errno));
    bool fentry = mechanism == Mechanism::kFentry;
    choose_programs();
    if (settings_.flags & KC_FLAG_COUNT_ONLY) exit_ = nullptr;

    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, skeleton_->obj) {
        bool wanted = program == entry_ || program == exit_;
        bpf_program__set_autoload(program, wanted);
        if (!wanted) continue;
        auto filled = fill_in_settings(program, settings_);
        if (!filled) return filled;
        if (!fentry) continue;
        if (int error = bpf_program__set_attach_target(program, 0, place.function.c_str())) {
            return fail("the kernel's types (BTF) have no such function: " +
                        explain_libbpf_failure(error));
        }
    }
    auto lookup = model::bin_lookup();
    std::copy(lookup.begin(), lookup.end(), skeleton_->rodata->bin_lookup);
    std::uint32_t cells = settings_.cpus * settings_.splits;
    if (int error = bpf_map__set_max_entries(skeleton_->maps.kc_cells, cells)) {
        return fail("cannot size a BPF map: " + explain_libbpf_failure(error));
    }
    auto lent = shared.lend_to(*skeleton_);
    if (!lent) return lent;
    if (int error = span_bpf::load(skeleton_.get())) {
        return fail("cannot load: " + explain_libbpf_failure(error));
    }
    auto mapped = MappedMap::map(bpf_map__fd(skeleton_->maps.kc_cells), cells * sizeof(kc_cell));
    if (!mapped) return tl::unexpected(mapped.error());
    cells_ = std::move(*mapped);
    auto splits =
        MappedMap::map(bpf_map__fd(skeleton_->maps.kc_splits), KC_SPLITS * sizeof(kc_split));
    if (!splits) return tl::unexpected(splits.error());
    splits_ = std::move(*splits);
    return {};
}

// The exit comes first: a call that begins in between is then not left open.
Result<void> SpanPrograms::attach_links(const Place& place) {
    if (mechanism_ == Mechanism::kHwbreak) return set_breakpoints(place);
    if (exit_) {
        auto attached = attach_exits(place);
        if (!attached) return attached;
    }
    auto link = attach_program(entry_, place, false);
    if (!link) return tl::unexpected(link.error());
    entry_link_ = std::move(*link);
    return {};
}

Result<void> SpanPrograms::attach_exits(const Place& place) {
    std::vector<Place> exits;
    for (std::uint64_t address : place.exits) {
        exits.push_back(place);
        exits.back().address = address;
    }
    bool by_return = mechanism_ != Mechanism::kOpsite;
    if (by_return) exits = {place};
    for (const Place& exit : exits) {
        auto link = attach_program(exit_, exit, by_return);
        if (!link) return tl::unexpected(link.error());
        exit_links_.push_back(std::move(*link));
    }
    return {};
}

Result<void> SpanPrograms::set_breakpoints(const Place& place) {
    BreakpointScope scope{place.cpus, place.most_hits};
    auto online = kernel::online_cpus({});
    if (!online) return tl::unexpected(online.error());
    if (scope.cpus.empty()) scope.cpus = std::move(*online);
    std::vector<Breakpoint> points;
    for (std::uint64_t address : place.exits) {
        if (exit_) points.push_back({address, exit_});
    }
    points.push_back({place.address, entry_});
    auto set = Breakpoints::set(std::move(points), scope);
    if (!set) return tl::unexpected(set.error());
    breakpoints_ = std::move(*set);
    return {};
}

Result<void> SpanPrograms::follow_cpus(const std::vector<unsigned>& online) {
    return breakpoints_ ? breakpoints_->follow(online) : Result<void>();
}

Result<Link> SpanPrograms::attach_program(bpf_program* program, const Place& place,
                                          bool at_exit) const {
    Link link;
    if (mechanism_ == Mechanism::kFentry) {
        link.reset(bpf_program__attach_trace(program));
    } else if (mechanism_ != Mechanism::kUser) {
        LIBBPF_OPTS(bpf_kprobe_opts, options, .retprobe = at_exit);
        if (place.by_address) options.offset = place.address;
        link.reset(bpf_program__attach_kprobe_opts(
            program, place.by_address ? nullptr : place.function.c_str(), &options));
    } else {
        LIBBPF_OPTS(bpf_uprobe_opts, options, .retprobe = at_exit,
                    .func_name = place.function.c_str());
        link.reset(
            bpf_program__attach_uprobe_opts(program, -1, place.user_path.c_str(), 0, &options));
    }
    if (!link) return fail("cannot attach: " + explain_libbpf_failure(errno));
    return link;
}

SpanPrograms::Misses SpanPrograms::misses() const {
    Misses none{.recursion = 0, .kprobe = 0, .exit = 0};
    switch (mechanism_) {
        case Mechanism::kFentry:
            none.recursion = recursion_misses(bpf_program__fd(entry_));
            return none;
        case Mechanism::kHwbreak:
            none.breakpoint = breakpoint_misses();
            return none;
        // A user probe cannot interrupt another: there is no handler to be missed in.
        case Mechanism::kUser:
            return none;
        case Mechanism::kKprobe:
        case Mechanism::kOpsite:
            break;
    }
    return kprobe_misses();
}

SpanPrograms::Misses SpanPrograms::kprobe_misses() const {
    Misses misses{.recursion = std::nullopt, .kprobe = std::nullopt, .exit = 0};
    misses.kprobe = entry_link_ ? probe_misses(bpf_link__fd(entry_link_.get())) : std::nullopt;
    for (const Link& link : exit_links_) {
        auto missed = probe_misses(bpf_link__fd(link.get()));
        misses.exit = missed && misses.exit ? std::optional(*misses.exit + *missed) : std::nullopt;
    }
    // The kernel that tells a probe's misses also counts programs skipped under bpf_prog_active:
    // Linux dd8657894c11 ("bpf: Count missed stats in trace_call_bpf") (v6.7), the same series.
    if (misses.kprobe) misses.recursion = recursion_misses(bpf_program__fd(entry_));
    return misses;
}

// While hits go on the programs may be ahead of what was read.
std::uint64_t SpanPrograms::breakpoint_misses() const {
    if (!breakpoints_) return 0;
    std::uint64_t counted = breakpoints_->counted();
    std::uint64_t seen = 0;
    for (std::uint32_t i = 0; i < settings_.cpus * settings_.splits; i++) seen += cells()[i].hits;
    return counted > seen ? counted - seen : 0;
}

void SpanPrograms::detach() {
    entry_link_.reset();
    exit_links_.clear();
    if (breakpoints_) breakpoints_->clear();
}

}  // namespace kcost::probe
