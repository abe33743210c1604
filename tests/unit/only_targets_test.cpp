#include "analyse/only_targets.h"

#include <gtest/gtest.h>

namespace kcost {
namespace {

using model::Recording;

Recording three() {
    Recording recording;
    for (const char* name : {"a", "b", "c"}) {
        model::Target target;
        target.name = name;
        recording.targets.push_back(target);
    }
    for (const std::size_t target : {0, 1, 2, 1}) {
        model::Payer payer;
        payer.target = target;
        payer.spans = target + 1;
        recording.payers.push_back(payer);
    }
    return recording;
}

TEST(OnlyTargets, KeepsThoseNamedInTheirOrderWithTheirPayers) {
    const auto kept = only_targets(three(), {"c", "b"});
    ASSERT_TRUE(kept);
    ASSERT_EQ(kept->targets.size(), 2u);
    EXPECT_EQ(kept->targets[0].name, "b");
    EXPECT_EQ(kept->targets[1].name, "c");
    ASSERT_EQ(kept->payers.size(), 3u);
    for (const model::Payer& payer : kept->payers) {
        EXPECT_EQ(kept->targets[payer.target].name, payer.spans == 2 ? "b" : "c");
    }
}

TEST(OnlyTargets, ANameThatIsNotThereIsAnErrorWithTheNamesThereAre) {
    const auto kept = only_targets(three(), {"a", "x\x1b"});
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, ExitCode::kUsage);
    EXPECT_EQ(kept.error().what, "the recording has no target x\\x1b");
    EXPECT_EQ(kept.error().hint, "--target with one of a, b, c");
}

}  // namespace
}  // namespace kcost
