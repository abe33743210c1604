// Compares with a file of tests/golden byte for byte; KCOST_REWRITE_GOLDEN=1 rewrites it instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"

namespace kcost::test {

inline void expect_golden(const std::string& name, const std::string& actual) {
    const std::string path = std::string(KCOST_GOLDEN) + "/" + name;
    if (std::getenv("KCOST_REWRITE_GOLDEN") != nullptr) {
        std::ofstream(path, std::ios::binary) << actual;
        return;
    }
    const auto expected = read_file(path);
    ASSERT_TRUE(expected) << expected.error().what;
    EXPECT_EQ(actual, *expected) << "KCOST_REWRITE_GOLDEN=1 rewrites " << path;
}

}  // namespace kcost::test
