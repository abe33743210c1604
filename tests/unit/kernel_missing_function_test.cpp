#include <gtest/gtest.h>

#include "kernel/missing_function.h"
#include "kernel_temp_root.h"

namespace kcost::kernel {
namespace {

TEST(MissingFunction, TellsAFunctionFromItsModule) {
    TempRoot root;
    root.put("/sys/module/loaded/initstate", "live\n").put("/sys/module/built_in/uevent", "");
    const auto what = [&](const char* name) { return missing_function(root.get(), name).what; };
    const auto hint = [&](const char* name) { return missing_function(root.get(), name).hint; };
    EXPECT_EQ(what("f"), "this kernel has no function f");
    EXPECT_NE(hint("f").find("a module that is not loaded"), std::string::npos);
    EXPECT_EQ(what("loaded:f"), "module loaded has no function f");
    EXPECT_EQ(what("built_in:f"), "built_in is built in: it is no module of this kernel");
    EXPECT_EQ(hint("built_in:f"), "leave it out: -t f");
    EXPECT_EQ(what("absent:f"), "module absent is not loaded");
    EXPECT_EQ(hint("absent:f"), "modprobe absent");
    EXPECT_EQ(missing_function(root.get(), "absent:f").code, ExitCode::kCannotHere);
}

}  // namespace
}  // namespace kcost::kernel
