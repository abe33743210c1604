#include "workload/child.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>

#include "base/log.h"
#include "workload/calls.h"
#include "workload/page_reuse.h"
#include "workload/round_trips.h"

namespace kcost::workload {
namespace {

int status_of(Child& child) {
    for (;;) {
        if (auto status = child.poll()) return *status;
        ::poll(nullptr, 0, 1);
    }
}

int run(const std::function<Result<void>()>& work) {
    auto child = Child::start_held("work", work);
    if (!child || !child->release()) return -1;
    return status_of(*child);
}

TEST(Child, WorkRunsOnlyOnceItIsReleased) {
    auto* ran = static_cast<volatile int*>(
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    auto child = Child::start_held("work", [&]() -> Result<void> {
        *ran = 1;
        return {};
    });
    ASSERT_TRUE(child);
    EXPECT_FALSE(child->poll());
    EXPECT_EQ(*ran, 0);
    ASSERT_TRUE(child->release());
    EXPECT_EQ(status_of(*child), 0);
    EXPECT_EQ(*ran, 1);
}

TEST(Child, WorkThatFailsEndsWithOne) {
    log::set_level(log::Level::kOff);
    EXPECT_EQ(run([]() -> Result<void> { return fail("on purpose"); }), 1);
    log::set_level(log::Level::kInfo);
}

TEST(Child, ACommandThatIsNotThereIsAnError) {
    auto child = Child::start_held(std::vector<std::string>{"/no/such/program"});
    ASSERT_TRUE(child);
    EXPECT_FALSE(child->release());
}

TEST(Workloads, EndWell) {
    EXPECT_EQ(run([] { return own_calls(10); }), 0);
    EXPECT_EQ(run([] { return getppid_calls(10); }), 0);
    EXPECT_EQ(run([] { return page_reuse(8); }), 0);
    EXPECT_EQ(run([] { return round_trips(10); }), 0);
}

}  // namespace
}  // namespace kcost::workload
