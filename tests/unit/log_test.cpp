#include "base/log.h"

#include <gtest/gtest.h>

namespace kcost {
namespace {

TEST(Log, PlainEscapedLinesFromItsLevelOn) {
    testing::internal::CaptureStderr();
    log::debug("not shown");
    log::info("100% {} of \x1b[31m");
    log::set_level(log::Level::kWarn);
    log::info("not shown");
    log::warn("shown");
    log::set_level(log::Level::kInfo);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "kcost: 100% {} of \\x1b[31m\nkcost: shown\n");
}

}  // namespace
}  // namespace kcost
