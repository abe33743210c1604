// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// attach-cycles N TARGET: attaches to TARGET, counts until it was hit and for a second at most, and
// detaches, N times over. What to attach to is found out once: what is tried is the kernel's arming
// and disarming, while others keep TARGET busy. Prints how many hits were counted and how long it
// took.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "kernel/cpus.h"
#include "model/hot_path.h"
#include "probe/attached_site.h"
#include "probe/figures.h"
#include "probe/heartbeat.h"
#include "probe/plan.h"
#include "probe/settings.h"
#include "probe/shared_maps.h"

using namespace kcost;

namespace {

constexpr useconds_t kMoment_us = 20'000;
constexpr unsigned kMostMoments = 50;
constexpr unsigned kAnyNumberOfStops = 1'000'000;
constexpr std::uint32_t kCallersOneIn = 64;

class Cycles {
public:
    static Result<Cycles> prepare(const model::HotPath& target) {
        Cycles cycles;
        probe::take_over_libbpf_messages();
        auto plan = probe::make_plan({}, {target}, {});
        if (!plan) return tl::unexpected(plan.error());
        if (plan->sites.empty()) {
            return tl::unexpected(probe::explain_skipped(target, plan->skipped.front()));
        }
        auto possible = kernel::possible_cpus({});
        auto online = kernel::online_cpus({});
        if (!possible || !online) return fail("cannot count the CPUs");
        auto maps =
            probe::SharedMaps::create({.sets = 4096,
                                       .sites = static_cast<std::uint32_t>(plan->sites.size()),
                                       .stacks = 8192,
                                       .payers = 8192});
        if (!maps) return tl::unexpected(maps.error());
        cycles.plan_ = std::move(*plan);
        cycles.cpus_possible_ = *possible;
        cycles.cpus_online_ = static_cast<unsigned>(online->size());
        cycles.maps_ = std::make_unique<probe::SharedMaps>(std::move(*maps));
        return cycles;
    }

    Result<void> run(long n) {
        auto heartbeat = probe::Heartbeat::start(*maps_);
        if (!heartbeat) return tl::unexpected(heartbeat.error());
        for (long i = 0; i < n; i++) {
            auto sites = attach();
            if (!sites) return tl::unexpected(sites.error());
            auto counting = heartbeat->resume();
            if (!counting) return counting;
            await_hits(*sites);
            heartbeat->stop();
            hits_ += hits_of(*sites);
            mechanism_ = probe::name_of(sites->front().mechanism);
        }
        return {};
    }

    std::size_t sites() const { return plan_.sites.size(); }
    const std::string& mechanism() const { return mechanism_; }
    std::uint64_t hits() const { return hits_; }

private:
    Result<std::vector<probe::AttachedSite>> attach() const {
        probe::SiteAttacher attacher(*maps_, cpus_online_, kAnyNumberOfStops);
        attacher.guard_breakpoints([] { return Result<void>(); });
        std::vector<probe::AttachedSite> sites;
        for (std::size_t i = 0; i < plan_.sites.size(); i++) {
            auto settings = probe::make_settings(
                plan_, i, {cpus_possible_, maps_->sizes().sets, kCallersOneIn});
            if (!settings) return tl::unexpected(settings.error());
            auto site = attacher.attach(plan_.sites[i].place, *settings);
            if (!site) return tl::unexpected(site.error());
            sites.push_back(std::move(*site));
        }
        return sites;
    }

    // An emulated CPU may not have its turn for a while.
    static void await_hits(const std::vector<probe::AttachedSite>& sites) {
        for (unsigned i = 0; i < kMostMoments; i++) {
            ::usleep(kMoment_us);
            if (hits_of(sites) > 0) return;
        }
    }

    static std::uint64_t hits_of(const std::vector<probe::AttachedSite>& sites) {
        std::uint64_t hits = 0;
        for (const probe::AttachedSite& site : sites) {
            for (const model::Figures& figures : probe::read_all_figures(site.programs)) {
                hits += figures.entries;
            }
        }
        return hits;
    }

    probe::Plan plan_;
    unsigned cpus_possible_ = 1;
    unsigned cpus_online_ = 1;
    std::unique_ptr<probe::SharedMaps> maps_;
    std::string mechanism_;
    std::uint64_t hits_ = 0;
};

int explain(const Error& error) {
    std::fprintf(stderr, "attach-cycles: %s: %s\n", error.what.c_str(), error.hint.c_str());
    return static_cast<int>(error.code);
}

int run(long n, const std::string& text) {
    auto target = model::parse_target(text);
    if (!target) return explain(target.error());
    auto cycles = Cycles::prepare(*target);
    if (!cycles) return explain(cycles.error());
    const std::uint64_t began_ns = probe::monotonic_ns();
    auto ran = cycles->run(n);
    if (!ran) return explain(ran.error());
    const double seconds = static_cast<double>(probe::monotonic_ns() - began_ns) / 1e9;
    std::printf("cycles=%ld\nsites=%zu\nmechanism=%s\nhits=%llu\nseconds=%.1f\ncycles_per_s=%.2f\n",
                n, cycles->sites(), cycles->mechanism().c_str(),
                static_cast<unsigned long long>(cycles->hits()), seconds,
                static_cast<double>(n) / seconds);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: attach-cycles N TARGET\n");
        return 2;
    }
    return run(std::atol(argv[1]), argv[2]);
}
