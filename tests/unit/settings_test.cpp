#include "probe/settings.h"

#include <gtest/gtest.h>

#include "probe/shared_maps.h"

namespace kcost::probe {
namespace {

Plan plan_of(const char* text) {
    Plan plan;
    plan.targets.push_back(*model::parse_target(text));
    PlannedSite site;
    site.place.function = plan.targets[0].functions[0];
    site.place.address = 0xffff800080010000;
    site.target = 0;
    plan.sites.push_back(site);
    return plan;
}

constexpr SettingsContext kContext{.cpus = 4, .sets = 4096, .payers_one_in = 64};

TEST(Settings, PlainFunction) {
    auto settings = make_settings(plan_of("vfs_read"), 0, kContext);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->cpus, 4u);
    EXPECT_EQ(settings->splits, 1u);
    EXPECT_EQ(settings->set_mask, 4095u);
    EXPECT_EQ(settings->payer_mask, 63u);
    EXPECT_EQ(settings->flags, 0u);
    EXPECT_EQ(settings->within, KC_NO_TARGET);
    EXPECT_EQ(settings->entry_when.op, static_cast<unsigned>(KC_OP_NONE));
}

TEST(Settings, ConditionsGoToTheProgramThatCanTestThem) {
    auto settings = make_settings(plan_of("f,when=arg4!=0,when=return==1"), 0, kContext);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->entry_when.operand, 4u);
    EXPECT_EQ(settings->entry_when.op, static_cast<unsigned>(KC_OP_NE));
    EXPECT_EQ(settings->exit_when.operand, static_cast<unsigned>(KC_OPERAND_RETURN));
    EXPECT_EQ(settings->exit_when.op, static_cast<unsigned>(KC_OP_EQ));
    EXPECT_EQ(settings->exit_when.value, 1u);
}

TEST(Settings, SplitTakesRows) {
    auto settings = make_settings(plan_of("icache-flush"), 0, kContext);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->splits, static_cast<unsigned>(KC_SPLITS));
    EXPECT_EQ(settings->split_operand, 1u);
    EXPECT_EQ(settings->split_minus, 0u);
    EXPECT_TRUE(settings->flags & KC_FLAG_SPLIT_CALLER);
}

TEST(Settings, NoStackUnderTheRunQueueLockHoweverItIsNamed) {
    for (const char* name : {"context-switch", "check_and_switch_context", "update_curr"}) {
        auto settings = make_settings(plan_of(name), 0, kContext);
        ASSERT_TRUE(settings);
        EXPECT_TRUE(settings->flags & KC_FLAG_NO_STACKS) << name;
    }
}

TEST(Settings, UserProgramsAreAtomic) {
    auto settings = make_settings(plan_of("/bin/true:main"), 0, kContext);
    ASSERT_TRUE(settings);
    EXPECT_TRUE(settings->flags & KC_FLAG_ATOMIC);
    EXPECT_TRUE(settings->flags & KC_FLAG_USER_STACK);
}

TEST(Settings, AGateTakesNoPayers) {
    Plan plan = plan_of("f");
    plan.sites[0].target.reset();
    auto settings = make_settings(plan, 0, kContext);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->flags, static_cast<unsigned>(KC_FLAG_NO_PAYERS));
}

TEST(SharedMapSizes, StaysWithinTheLimitAndKeepsPowersOfTwo) {
    for (std::size_t limit : {std::size_t{2} << 20, std::size_t{10} << 20, std::size_t{1} << 30}) {
        for (std::uint64_t threads : {50u, 5'000u, 1'000'000u}) {
            SharedMapSizes sizes = choose_sizes(threads, 10, limit);
            EXPECT_LE(sizes.bytes(), std::max<std::size_t>(limit, 2 << 20)) << limit << threads;
            EXPECT_EQ(sizes.sets & (sizes.sets - 1), 0u);
        }
    }
}

TEST(SharedMapSizes, HoldsFiveThousandSleepers) {
    // Four ways a set, pids in sequence.
    EXPECT_GE(choose_sizes(100, 1, 1 << 30).sets * KC_WAYS, 4 * 4096u);
}

}  // namespace
}  // namespace kcost::probe
