// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// throws N: calls a function N times that throws each time, and catches it.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

extern "C" __attribute__((noinline, used)) void throwing_function(long number) {
    throw std::runtime_error(number % 2 ? "odd" : "even");
}

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: throws N\n");
        return 2;
    }
    long caught = 0;
    for (long i = std::atol(argv[1]); i > 0; i--) {
        try {
            throwing_function(i);
        } catch (const std::runtime_error&) {
            caught++;
        }
    }
    std::printf("caught=%ld\n", caught);
    return 0;
}
