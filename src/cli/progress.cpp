#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace kcost {
namespace {

constexpr std::size_t kWorthShowing = 10;

void show(const char* what, std::size_t done, std::size_t all) {
    if (all < kWorthShowing || !::isatty(STDERR_FILENO)) return;
    std::fprintf(stderr, "\r%s %zu of %zu%s", what, done, all, done == all ? "\n" : "");
}

void show_detaching(std::size_t done, std::size_t all) { show("detaching", done, all); }

}  // namespace

void show_attaching(std::size_t done, std::size_t all) { show("attaching", done, all); }

void detach_with_progress(probe::Session& session) { session.detach(show_detaching); }

}  // namespace kcost
