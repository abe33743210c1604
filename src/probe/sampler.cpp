#include "probe/sampler.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>

#include "kernel/capability.h"
#include "kernel/cpus.h"
#include "kernel/machine.h"
#include "kernel/symbols.h"
#include "probe/plan.h"
#include "probe/sample_map.h"
#include "probe/sample_ring.h"

namespace kcost::probe {
namespace {

// Not in step with timers.
constexpr std::uint64_t kSamples_per_s = 997;

struct Event {
    const char* name;
    std::uint32_t type;
    std::uint64_t config;
};
constexpr Event kCycles = {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES};
// An interrupt of a timer: where the CPU's counter cannot be had, as in most virtual machines.
constexpr Event kClock = {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK};

perf_event_attr attributes_of(const Event& event) {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.freq = 1;
    attributes.sample_freq = kSamples_per_s;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
    attributes.disabled = 1;
    attributes.exclude_hv = 1;
    attributes.exclude_idle = 1;
    attributes.exclude_callchain_user = 1;
    return attributes;
}

Result<std::vector<SampleRing>> open_rings(const Event& event, const std::vector<unsigned>& cpus) {
    perf_event_attr attributes = attributes_of(event);
    std::vector<SampleRing> rings;
    for (unsigned cpu : cpus) {
        auto ring = SampleRing::open(attributes, cpu);
        if (!ring) return tl::unexpected(ring.error());
        rings.push_back(std::move(*ring));
    }
    return rings;
}

AddressRange function_at(const kernel::Symbols& symbols, std::uint64_t address) {
    const auto location = symbols.resolve(address);
    if (!location) return {};
    return {location->symbol.address, location->symbol.address + location->symbol.size};
}

// A site's instructions: of an operation those up to its end, else the whole function.
SampledPlace place_of(const Plan& plan, const PlannedSite& site, const kernel::Symbols& symbols) {
    SampledPlace place;
    place.target = *site.target;
    place.range = function_at(symbols, site.place.address);
    place.amid = site.place.operation || site.place.amid;
    if (place.amid) {
        const auto& exits = site.place.exits;
        const std::uint64_t last =
            exits.empty() ? site.place.address : *std::max_element(exits.begin(), exits.end());
        place.range = {site.place.address, std::max(last, site.place.address) + 1};
    }
    if (site.gate) place.within = function_at(symbols, plan.sites[*site.gate].place.address);
    return place;
}

// An interrupt that is not masked sees what runs with interrupts masked where it unmasks them.
bool masked_is_late(const Event& event) {
    if (event.type == PERF_TYPE_SOFTWARE) return true;
#if defined(__aarch64__)
    return kernel::fact(kernel::read_machine({}), "kernel.pseudo_nmi") != "asked for";
#else
    return false;
#endif
}

}  // namespace

struct Sampler::State {
    std::vector<SampleRing> rings;
    SampleMap map{{}};
    std::vector<std::string> names;   ///< of targets
    std::vector<bool> attributable;   ///< by target
    std::vector<std::uint64_t> hits;  ///< by target
    model::Sampled sampled;

    Result<void> find_places(const std::vector<model::HotPath>& targets);
    Result<void> open_events();
};

Result<void> Sampler::State::find_places(const std::vector<model::HotPath>& targets) {
    auto plan = make_plan({}, targets, {.count_only = true});
    if (!plan) return tl::unexpected(plan.error());
    auto symbols = kernel::Symbols::read({});
    if (!symbols) return tl::unexpected(symbols.error());
    std::vector<SampledPlace> places;
    for (const model::HotPath& target : targets) names.push_back(target.name);
    hits.resize(targets.size());
    attributable.resize(targets.size());
    for (const PlannedSite& site : plan->sites) {
        if (!site.target || !site.place.user_path.empty()) continue;
        places.push_back(place_of(*plan, site, *symbols));
        attributable[*site.target] = true;
    }
    map = SampleMap(std::move(places));
    return {};
}

Result<void> Sampler::State::open_events() {
    auto online = kernel::online_cpus({});
    if (!online) return tl::unexpected(online.error());
    sampled.cpus = *online;
    for (const Event& event : {kCycles, kClock}) {
        auto opened = open_rings(event, *online);
        if (!opened && event.type == PERF_TYPE_HARDWARE) continue;
        if (!opened) return tl::unexpected(opened.error());
        rings = std::move(*opened);
        sampled.event = event.name;
        sampled.masked_is_late = masked_is_late(event);
        break;
    }
    return {};
}

Sampler::Sampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

Result<Sampler> Sampler::open(const std::vector<model::HotPath>& targets) {
    auto rights = kernel::require_tracing_rights({});
    if (!rights) return tl::unexpected(rights.error());
    auto state = std::make_unique<State>();
    auto found = state->find_places(targets);
    if (!found) return tl::unexpected(found.error());
    auto opened = state->open_events();
    if (!opened) return tl::unexpected(opened.error());
    return Sampler(std::move(state));
}

void Sampler::start() {
    for (const SampleRing& ring : state_->rings) ring.enable(true);
}

void Sampler::drain() {
    State& state = *state_;
    for (SampleRing& ring : state.rings) {
        ring.drain([&](const Sample& sample) {
            state.sampled.samples++;
            state.sampled.kernel_samples += sample.in_kernel;
            if (sample.in_kernel) state.map.count(sample.stack, state.hits);
        });
    }
}

model::Sampled Sampler::stop() {
    for (const SampleRing& ring : state_->rings) ring.enable(false);
    drain();
    model::Sampled sampled = state_->sampled;
    bool throttled = false;
    std::uint64_t lost = 0;
    for (const SampleRing& ring : state_->rings) {
        throttled = throttled || ring.was_throttled();
        lost += ring.lost();
    }
    if (!throttled) sampled.lost = lost;
    for (std::size_t i = 0; i < state_->hits.size(); i++) {
        if (state_->attributable[i])
            sampled.in_targets.push_back({state_->names[i], state_->hits[i]});
    }
    return sampled;
}

}  // namespace kcost::probe
