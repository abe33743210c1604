#include "probe/instruction_plan.h"

#include <gtest/gtest.h>

#include "kernel/kernel_text.h"
#include "kernel_a64_words.h"
#include "kernel_live_root.h"

namespace kcost::probe {
namespace {

using namespace kernel;

constexpr std::uint64_t kHere = 0xffff800080010000;
constexpr std::uint64_t kThere = kHere + 0x100;

struct SampleRoot : LiveRoot {
    explicit SampleRoot(const std::string& architecture = "aarch64") : LiveRoot(architecture) {
        add_function("f", {kHere, {kNop, kFrame, b(8, 16), kFlush, cbz(16, 24), kRet, kRet}});
        add_function("g", {kThere, {kRet, kRet}});
        add_function("twice", {kThere + 0x10, {kRet}}, 't');
        add_function("twice", {kThere + 0x20, {kRet}}, 't');
    }
};

Result<Flow> flow_of(const Root& root, const Place& place) {
    return read_flow(root, place.address, place.end);
}

Result<FoundInstruction> find(const Root& root, const std::string& target) {
    const auto path = model::parse_target(target);
    EXPECT_TRUE(path) << target;
    return find_instruction(root, *path);
}

std::string error_of(const Root& root, const std::string& target) {
    const auto found = find(root, target);
    if (found) return "";
    EXPECT_EQ(found.error().code, ExitCode::kCannotHere);
    return found.error().what;
}

TEST(InstructionPlan, ByFunctionAndOffset) {
    SampleRoot root;
    const auto found = find(root.get(), "f+0x10");
    ASSERT_TRUE(found) << found.error().what;
    EXPECT_EQ(found->function.name, "f");
    EXPECT_EQ(found->address, kHere + 16);
    EXPECT_TRUE(found->frame_record);
    EXPECT_FALSE(find(root.get(), "f+0x4")->frame_record);
    const Place place = place_of(*found);
    EXPECT_EQ(place.label, "f+0x10");
    EXPECT_EQ(place.function, "f");
    EXPECT_TRUE(place.amid && place.by_address && place.frame_record);
    EXPECT_FALSE(place.operation);
}

TEST(InstructionPlan, ByAddress) {
    SampleRoot root;
    const auto found = find(root.get(), "0xffff800080010004");
    ASSERT_TRUE(found) << found.error().what;
    EXPECT_EQ(found->function.name, "f");
    EXPECT_EQ(found->function.end, kHere + 28);
    EXPECT_EQ(place_of(*found).label, "f+0x4");
}

TEST(InstructionPlan, RefusesWhatIsNotThere) {
    SampleRoot root;
    EXPECT_EQ(error_of(root.get(), "none+4"), "this kernel has no function none");
    EXPECT_EQ(error_of(root.get(), "f+0x1c"), "f has 28 bytes only");
    EXPECT_EQ(error_of(root.get(), "twice+4"), "2 functions are named twice");
    EXPECT_EQ(error_of(root.get(), "f+5"), "no instruction begins at 0xffff800080010005");
    EXPECT_EQ(error_of(root.get(), "0x4000"), "no kernel function is at 0x4000");
    const std::string never = " never comes to 0xffff80008001";
    EXPECT_EQ(error_of(root.get(), "f+0xc"),
              "f" + never + "000c: what is there is no code that runs");
    EXPECT_EQ(error_of(root.get(), "0xffff800080010104"),
              "g" + never + "0104: what is there is no code that runs");
}

// A breakpoint there would have the CPU run the loop for ever: seen on 6.12 with up_read().
TEST(InstructionPlan, RefusesWhatIsBetweenALoadExclusiveAndItsStore) {
    LiveRoot root;
    root.add_function("f",
                      {kHere, {kNop, kLoadExclusive, kNop, kStoreExclusive, cbz(16, 4), kRet}});
    for (const std::string place : {"f+0x4", "f+0x8", "f+0xc"}) {
        EXPECT_TRUE(error_of(root.get(), place).starts_with("a stop between a load-exclusive"))
            << place;
    }
    EXPECT_EQ(error_of(root.get(), "f+0x10"), "");
    EXPECT_EQ(error_of(root.get(), "f+0x14"), "");
}

TEST(InstructionPlan, ABreakpointAtAnEntryOrExitInSuchALoopIsRefused) {
    LiveRoot root;
    // The function begins with the load, and is left between it and its store.
    const TextRange g{kThere, {kLoadExclusive, cbz(4, 0x40), kStoreExclusive, cbz(12, 0), kRet}};
    root.add_function("g", g);
    Place place;
    place.address = kThere;
    place.end = g.end();
    EXPECT_FALSE(check_breakpoint(flow_of(root.get(), place), place));
    add_exits(flow_of(root.get(), place), place);
    EXPECT_TRUE(place.no_exits.starts_with("a stop between")) << place.no_exits;
    root.add_function("h", {kHere, {kNop, kRet}});
    place.address = kHere;
    place.end = kHere + 8;
    EXPECT_TRUE(check_breakpoint(flow_of(root.get(), place), place));
}

TEST(InstructionPlan, SaysWhereTheSurroundingsAreNotKnown) {
    SampleRoot sample;
    const Root& root = sample.get();
    EXPECT_EQ(find(root, "f+0x10")->unread, "");
    sample.put(kKcore, "");
    EXPECT_NE(find(root, "f+0x10")->unread, "");
}

TEST(InstructionPlan, OtherArchitecturesTakeTheUsersWord) {
    SampleRoot root("x86_64");
    EXPECT_EQ(error_of(root.get(), "f+5"), "");
    EXPECT_EQ(error_of(root.get(), "f+0x1c"), "f has 28 bytes only");
}

TEST(InstructionPlan, ExitsAreWhereTheFunctionIsLeft) {
    SampleRoot root;
    const auto exits_from = [&](std::uint64_t begin, std::uint64_t end) {
        Place place;
        place.address = begin;
        place.end = end;
        add_exits(flow_of(root.get(), place), place);
        return place;
    };
    const Place whole = exits_from(kHere, kHere + 28);
    EXPECT_EQ(whole.exits, (std::vector<std::uint64_t>{kHere + 20, kHere + 24}));
    EXPECT_EQ(whole.no_exits, "");
    EXPECT_EQ(exits_from(kHere, 0).no_exits,
              "cannot read a function's text: where it ends is not known");
    EXPECT_EQ(exits_from(kHere, kHere + 4).no_exits, "it never returns");
    LiveRoot probed;
    probed.add_function("f", {kHere, {kNop, kKprobe, kRet}});
    Place place;
    place.address = kHere;
    place.end = kHere + 12;
    add_exits(flow_of(probed.get(), place), place);
    EXPECT_EQ(place.no_exits, "a probe in it hides where it goes");
    EXPECT_TRUE(place.exits.empty());
}

}  // namespace
}  // namespace kcost::probe
