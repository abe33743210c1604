#include "cli/detach_progress.h"

#include <unistd.h>

#include <cstdio>

namespace kcost {
namespace {

constexpr std::size_t kWorthShowing = 10;

void show(std::size_t done, std::size_t all) {
    if (all < kWorthShowing || !::isatty(STDERR_FILENO)) return;
    std::fprintf(stderr, "\rdetaching %zu of %zu%s", done, all, done == all ? "\n" : "");
}

}  // namespace

void detach_with_progress(probe::Session& session) { session.detach(show); }

}  // namespace kcost
