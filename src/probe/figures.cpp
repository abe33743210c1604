#include "probe/figures.h"

#include "model/figures.h"

namespace kcost::probe {

namespace {

model::Figures read_figures(const SpanPrograms& programs, std::uint32_t split) {
    const kc_settings& settings = programs.settings();
    model::Figures sum;
    for (std::uint32_t cpu = 0; cpu < settings.cpus; cpu++) {
        const kc_cell& cell = programs.cells()[cpu * settings.splits + split];
        if (!cell.entries && !cell.spans && !cell.rejected) continue;
        model::Figures part;
        part.entries = cell.entries;
        part.spans = cell.spans;
        part.rejected = cell.rejected;
        part.total_ns = cell.total_ns;
        part.self_ns = cell.self_ns;
        part.max_ns = cell.max_ns;
        if (cell.spans) part.durations.bins.assign(cell.bins, cell.bins + KC_BINS);
        model::add(sum, part);
    }
    return sum;
}

}  // namespace

std::vector<model::Figures> read_all_figures(const SpanPrograms& programs) {
    std::vector<model::Figures> figures;
    for (std::uint32_t split = 0; split < programs.settings().splits; split++) {
        figures.push_back(read_figures(programs, split));
    }
    return figures;
}

std::uint64_t read_loss(const SpanPrograms& programs, kc_lost reason) {
    const kc_settings& settings = programs.settings();
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < settings.cpus * settings.splits; i++) {
        sum += programs.cells()[i].lost[reason];
    }
    return sum;
}

std::vector<model::Loss> read_losses(const SpanPrograms& programs, const SiteLedger& ledger) {
    auto of = [&](kc_lost reason) { return read_loss(programs, reason); };
    SpanPrograms::Misses misses = programs.misses();
    using Kind = model::Loss::Kind;
    std::vector<model::Loss> losses = {
        {"table of open spans full", of(KC_LOST_TABLE_FULL), Kind::kEntry},
        {"too many spans open on one task", of(KC_LOST_DEPTH), Kind::kEntry},
        {"exit not seen", ledger.no_exit, Kind::kEntry},
        {"task ended inside", ledger.ended, Kind::kEntry},
        {"open while counting was stopped", of(KC_LOST_GAP), Kind::kEntry},
        {"clock went backwards", of(KC_LOST_CLOCK), Kind::kEntry},
        {"refused by the kernel's recursion guard", misses.recursion, Kind::kUnseen},
        {"missed in another probe's handler", misses.kprobe, Kind::kUnseen},
        {"dropped while another program ran", misses.breakpoint, Kind::kUnseen},
        {ledger.amid ? "exit missed in another probe's handler" : "no return instance free",
         misses.exit, Kind::kOther},
        {"trapped again after an interrupt", of(KC_LOST_REPLAY), Kind::kOther},
        {"exit without entry", of(KC_LOST_NO_ENTRY), Kind::kOther},
        {"stack not kept", of(KC_LOST_STACK), Kind::kOther},
        {"table of payers full", of(KC_LOST_PAYER), Kind::kOther},
    };
    if (programs.cpus_that_came()) {
        losses.push_back({"on CPUs that came online, until their breakpoints were set",
                          std::nullopt, Kind::kUnseen});
    }
    return losses;
}

}  // namespace kcost::probe
