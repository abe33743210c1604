// A recording with one of everything, for the tests of what reads recordings.
#pragma once

#include "model/recording.h"

namespace kcost::test {

/// `calls` spans of `ns` each.
inline model::Figures spans_of(std::uint64_t calls, std::uint64_t ns) {
    model::Figures figures{.entries = calls,
                           .spans = calls,
                           .total_ns = calls * ns,
                           .self_ns = calls * ns,
                           .max_ns = ns,
                           .durations = {}};
    figures.durations.bins.resize(KC_BINS);
    figures.durations.bins[model::bin_of(ns)] = calls;
    return figures;
}

/// Split by length and caller, one site, losses, payers with and without their leaf.
inline model::Target sample_icache_flush() {
    model::Site site{.function = "sync_icache_aliases",
                     .address = 0xffff800080031234,
                     .mechanism = "fentry",
                     .reason = "traceable, with BTF",
                     .counted_only = false,
                     .figures = spans_of(20003, 1500),
                     .splits = {},
                     .in_flight = 0,
                     .lost = {},
                     .floor_ns = 100};
    site.figures.entries += 14;
    site.in_flight = 2;
    site.lost = {{"table of open spans full", 10, model::Loss::Kind::kEntry},
                 {"too deep", 2, model::Loss::Kind::kEntry},
                 {"another probe's handler", 3, model::Loss::Kind::kUnseen},
                 {"stack not kept", 1, model::Loss::Kind::kOther},
                 {"recursion guard", std::nullopt, model::Loss::Kind::kUnseen}};
    site.splits = {{65536, "__sync_icache_dcache+0x50", "length", spans_of(3, 90000)},
                   {4, "arch_uprobe_copy_ixol+0x64", "length", spans_of(20000, 1486)}};
    return {.name = "icache-flush",
            .summary = "flush",
            .note = "",
            .never_preempted = false,
            .filtered_by_result = false,
            .sites = {site},
            .skipped = {}};
}

/// Filtered by its result, cannot be preempted, short enough to be at the floor.
inline model::Target sample_page_reuse() {
    model::Site site{.function = "__ptep_set_access_flags",
                     .address = 0xffff800080041000,
                     .mechanism = "kprobe",
                     .reason = "no trampoline here",
                     .counted_only = false,
                     .figures = spans_of(1024, 900),
                     .splits = {},
                     .in_flight = 1,
                     .lost = {},
                     .floor_ns = 700};
    site.figures.entries += 31;
    site.figures.rejected = 30;
    return {.name = "page-reuse,within=do_wp_page",
            .summary = "",
            .note = "arguments by kprobe",
            .never_preempted = true,
            .filtered_by_result = true,
            .sites = {site},
            .skipped = {}};
}

/// Several sites, one of them only counted, one skipped.
inline model::Target sample_alloc() {
    model::Site timed{.function = "__kmalloc",
                      .address = 0x1000,
                      .mechanism = "fentry",
                      .reason = "",
                      .counted_only = false,
                      .figures = spans_of(5, 250),
                      .splits = {},
                      .in_flight = 0,
                      .lost = {},
                      .floor_ns = 0};
    model::Site counted{.function = "kmalloc_trace",
                        .address = 0x2000,
                        .mechanism = "kprobe",
                        .reason = "",
                        .counted_only = true,
                        .figures = {},
                        .splits = {},
                        .in_flight = 0,
                        .lost = {},
                        .floor_ns = 0};
    counted.figures.entries = 7000000;
    return {.name = "uretprobe-alloc",
            .summary = "",
            .note = "",
            .never_preempted = false,
            .filtered_by_result = false,
            .sites = {timed, counted},
            .skipped = {{"kmem_cache_alloc", "it is notrace", "CONFIG_KPROBE_EVENTS_ON_NOTRACE"}}};
}

/// An operation: a site that runs twice for an erratum, one that was never hit, one that may have
/// been counted more than once, and two left out for the same reason.
inline model::Target sample_flush_tlb_page() {
    model::Site repeated{.function = "__ptep_set_access_flags+0x80",
                         .address = 0xffff800080041080,
                         .mechanism = "opsite",
                         .reason = "inlined",
                         .detail = "vale1is; each with its barrier twice, for the CPU's erratum",
                         .repeated = true,
                         .counted_only = false,
                         .figures = spans_of(500, 4000),
                         .splits = {{std::nullopt, "wp_page_reuse+0x58", "", spans_of(500, 4000)}},
                         .in_flight = 0,
                         .lost = {},
                         .floor_ns = 300};
    model::Site idle{.function = "do_wp_page+0x848",
                     .address = 0xffff800080390848,
                     .mechanism = "opsite",
                     .reason = "inlined",
                     .detail = "vale1is",
                     .counted_only = false,
                     .figures = {},
                     .splits = {},
                     .in_flight = 0,
                     .lost = {},
                     .floor_ns = 300};
    model::Site counted{.function = "ptep_clear_flush+0x68",
                        .address = 0xffff8000803a2a68,
                        .mechanism = "hwbreak",
                        .reason = "asked for",
                        .detail = "vale1is",
                        .counted_only = true,
                        .counted_reason = "it never returns",
                        .upper_bound = true,
                        .figures = {},
                        .splits = {},
                        .in_flight = 0,
                        .lost = {},
                        .floor_ns = 0};
    counted.figures.entries = 41;
    return {.name = "flush_tlb_page",
            .summary = "flush",
            .note = "",
            .never_preempted = true,
            .filtered_by_result = false,
            .sites = {idle, counted, repeated},
            .skipped = {{"tlb_flush+0xdc", "it is notrace", ""},
                        {"__flush_tlb_range+0x44", "it is notrace", ""}},
            .sites_found = 5};
}

inline model::Recording sample_recording() {
    model::Recording r;
    r.kcost_version = "0.1.0";
    r.command_line = "kcost record -t icache-flush";
    r.started_at = "2026-11-30T12:00:00Z";
    r.machine = {{"kernel.release", "6.12.107"},
                 {"emulated", "qemu tcg"},
                 {"clock.started_ns", "1000000000"}};
    r.window_ns = 10'000'000'000;
    r.cpus = 2;
    r.payers_one_in = 64;
    r.whole = false;
    r.gaps = {{61'000'000'000, 66'000'000'000, "kcost was stopped"}};
    r.targets = {
        sample_icache_flush(), sample_page_reuse(), sample_alloc(), {}, sample_flush_tlb_page()};
    r.targets[3].name = "do_nothing\x1b[31m";
    r.targets[3].skipped = {{"do_nothing", "no such function", "did you mean do_something"}};
    r.frame_names = {"sync_icache_aliases", "arch_uprobe_copy_ixol+0x64",
                     "el0_svc+0x30",        "weird;name\n",
                     "[libc.so.6]+0x2d 7",  "__ptep_set_access_flags+0x80"};
    // The same stack of two processes, a hostile name, a caller alone, one without frames, and of
    // an operation one with the function that inlines it and one without.
    r.payers = {{0, 100, "nginx", {0, 1, 2}, 200, 300000},
                {0, 101, "nginx", {0, 1, 2}, 100, 150000},
                {0, 102, "bad\xff;\\name", {3}, 12, 20000},
                {1, 103, "", {}, 16, 14400},
                {2, 104, "#comment", {4}, 1, 250},
                {4, 105, "usemem", {5, 2}, 3, 12000},
                {4, 105, "usemem", {2}, 1, 4000}};
    r.warnings = {"pseudo-NMI is off"};
    return r;
}

}  // namespace kcost::test
