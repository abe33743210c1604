#include "patch/patch_file.h"

#include <gtest/gtest.h>

#include "kernel_temp_root.h"
#include "patch/catalogue.h"

namespace kcost::patch {
namespace {

const std::string kGood = R"(title = "A title"
summary = "A summary"
author = "Somebody"
posted = "2026-01"
reference = "https://example.org/1"
upstream = { commit = "0123456789ab", subject = "arm64: x", version = "6.13" }
hot_paths = ["icache-flush", "vfs_write,when=arg2==1"]
[workload]
name = "w"
controls = ["c"]
operation = "hit"
[expected]
mechanism = "less"
benefit = "more"
[[published]]
machine = "M"
source = "S"
spread = "se"
n = 10
figures = [{ name = "f", before = "298.62 ± 1.86", after = "297.734 ± 0.954", unit = "s", better = "lower" }]
[[moot]]
when = { "cpu.idc" = "yes", "cpu.dic" = "yes" }
because = "of that"
[signature]
functions = ["f1", "f2"]
[signature.facts]
one = { calls = ["a", "b"], in_caller_of = "c" }
two = { tlbi = ["vale1"], scope = "broadcast", look_into = ["*x*"] }
three = { refers_to = "s", before_interrupts_are_masked = true }
[[signature.rules]]
evidence = "present"
form = "this"
all = ["one"]
any = ["two"]
none = ["three"]
proves = "that"
)";

Result<KnownPatch> read(const std::string& text) {
    kernel::TempRoot root;
    root.put("/some-slug/patch.toml", text);
    auto patch = read_patch(root.get().at("/some-slug"));
    if (patch) return patch;
    // Without the folder, which differs each time.
    std::string what = patch.error().what;
    const std::string folder = root.get().prefix + "/";
    for (std::size_t at; (at = what.find(folder)) != what.npos;) what.erase(at, folder.size());
    return fail(what);
}

std::string error_of(const std::string& text) {
    const auto patch = read(text);
    return patch ? "no error" : patch.error().what;
}

std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(PatchFile, ReadsAll) {
    const auto known = read(kGood);
    ASSERT_TRUE(known) << known.error().what;
    const model::Patch& patch = known->patch;
    EXPECT_EQ(patch.slug, "some-slug");
    EXPECT_EQ(patch.upstream.version, "6.13");
    EXPECT_TRUE(patch.superseded_by.id.empty());
    ASSERT_EQ(patch.published.size(), 1u);
    EXPECT_EQ(patch.published[0].n, 10u);
    EXPECT_EQ(patch.published[0].spread, "se");
    const model::PublishedFigure& figure = patch.published[0].figures.at(0);
    EXPECT_DOUBLE_EQ(figure.before->value, 298.62);
    EXPECT_DOUBLE_EQ(*figure.before->spread, 1.86);
    EXPECT_EQ(figure.before->decimals, 2u);
    EXPECT_EQ(figure.after->decimals, 3u);
    EXPECT_FALSE(figure.higher_is_better);
    EXPECT_FALSE(figure.relative_change);
    ASSERT_EQ(patch.moot.size(), 1u);
    EXPECT_EQ(patch.moot[0].when.size(), 2u);
    ASSERT_EQ(known->signature.facts.size(), 3u);
    EXPECT_EQ(known->signature.facts[0].place.that_calls, "c");
    EXPECT_EQ(known->signature.facts[1].place.functions, (Names{"f1", "f2"}));
    EXPECT_TRUE(known->signature.facts[2].place.before_masked);
    EXPECT_EQ(known->signature.symbols(), (Names{"s"}));
    ASSERT_EQ(known->signature.rules.size(), 1u);
    EXPECT_EQ(known->signature.rules[0].form, "this");
}

TEST(PatchFile, WhatMustChangeAndWhatElseDoes) {
    const auto known = read(with("[[published]]", R"(
[[expected.effects]]
name = "flushes"
target = "icache-flush"
value = 4
caller = "f"
[[expected.effects]]
name = "time"
target = "vfs_write,when=arg2==1"
of = "time"
must = "rise"
[[expected.effects]]
name = "instructions"
of = "instructions"
[[workload.other_causes]]
workload = "w"
because = "of another"
[[published]])"));
    ASSERT_TRUE(known) << known.error().what;
    const model::Patch& patch = known->patch;
    ASSERT_EQ(patch.effects.size(), 3u);
    EXPECT_EQ(patch.effects[0].value, 4u);
    EXPECT_EQ(patch.effects[0].caller, "f");
    EXPECT_TRUE(patch.effects[0].falls);
    EXPECT_EQ(patch.effects[0].of, model::EffectOf::kCalls);
    EXPECT_EQ(patch.effects[1].of, model::EffectOf::kTime);
    EXPECT_FALSE(patch.effects[1].falls);
    EXPECT_EQ(patch.effects[2].of, model::EffectOf::kInstructions);
    EXPECT_EQ(patch.effects[2].target, "");
    ASSERT_EQ(patch.workload.other_causes.size(), 1u);
    EXPECT_EQ(patch.workload.other_causes[0].because, "of another");
}

TEST(PatchFile, AChangeAlone) {
    const auto change = [](const std::string& text) {
        return read(with("before = \"298.62 ± 1.86\", after = \"297.734 ± 0.954\"",
                         "change = \"" + text + "\""));
    };
    const auto known = change("+40.6%");
    ASSERT_TRUE(known) << known.error().what;
    EXPECT_DOUBLE_EQ(*known->patch.published[0].figures[0].relative_change, 0.406);
    EXPECT_DOUBLE_EQ(*change("-3%")->patch.published[0].figures[0].relative_change, -0.03);
    for (const char* text : {"40.6%", "+40.6", "%", "+%", "+inf%", "+-3%", "more"}) {
        const auto refused = change(text);
        ASSERT_FALSE(refused) << text;
        EXPECT_NE(refused.error().what.find("is no change such as"), std::string::npos);
    }
}

struct Mistake {
    std::string from, to, error;
};

TEST(PatchFile, MistakesAreToldWithFileLineAndKey) {
    const std::vector<Mistake> mistakes = {
        {"title = \"A title\"", "titel = \"A title\"", ":1: title: it is missing"},
        {"title = \"A title\"", "title = 5", ":1: title: it must be a text"},
        {"title = \"A title\"", "title = \" \"", ":1: title: it is empty"},
        {"author =", "nickname = \"x\"\nauthor =", ":3: nickname: there is no such key"},
        {"hot_paths = [\"icache-flush\"", "hot_paths = [\"icache flush!\"", ":7: hot_paths: "},
        {"hot_paths = [\"icache-flush\", \"vfs_write,when=arg2==1\"]", "hot_paths = []",
         ":7: hot_paths: it must be a list of texts, and not empty"},
        {"commit = \"0123456789ab\"", "commit = \"v6.13\"", ":6: upstream.commit: it must have"},
        {"operation = \"hit\"", "operation = \"hit\"\nthreads = 4",
         ":12: workload.threads: there is no such key"},
        {"n = 10", "n = -1", ":19: published.n: it must be a whole number"},
        {"spread = \"se\"", "spread = \"sem\"", ":18: published.spread: 'sem' is none of"},
        {"spread = \"se\"\n", "", "published.spread: figures have a ±"},
        {"298.62 ±", "298,62 ±", "published.figures.before: '298,62 ± 1.86' is no figure"},
        {"\"cpu.idc\" = \"yes\"", "\"cpu.idc\" = true",
         ":22: moot.when.cpu.idc: it must be a text"},
        {"because = \"of that\"", "", ":21: moot.because: it is missing"},
        {"calls = [\"a\", \"b\"],", "call = [\"a\"],",
         ":27: signature.facts.one: it must have exactly one of calls"},
        {"calls = [\"a\", \"b\"],", "calls = [\"a\"], returns = true,",
         ":27: signature.facts.one: it must have exactly one of calls"},
        {"calls = [\"a\", \"b\"],", "calls = [\"a\"], avoiding = [\"d\"],",
         ":27: signature.facts.one.avoiding: there is no such key"},
        {"tlbi = [\"vale1\"]", "tlbi = [\"vale2\", \"bogus1\"]",
         ":28: signature.facts.two.tlbi: 'bogus1': there is no such operation"},
        {"tlbi = [\"vale1\"]", "tlbi = [\"vale1is\"]",
         ":28: signature.facts.two.tlbi: 'vale1is': leave the scope to the key scope"},
        {"scope = \"broadcast\", ", "", ":28: signature.facts.two.scope: it is missing"},
        {"functions = [\"f1\", \"f2\"]", "", "signature.facts.two.functions: it is missing"},
        {"evidence = \"present\"", "evidence = \"there\"",
         ":31: signature.rules.evidence: 'there' is none of"},
        {"all = [\"one\"]", "all = [\"won\"]", ":33: signature.rules.all: there is no fact 'won'"},
        {"none = [\"three\"]\n", "", ":29: signature.facts.three: no rule uses it"},
        {"proves = \"that\"", "", ":30: signature.rules.proves: it is missing"},
        {"[[signature.rules]]", "[[signature.rule]]", "signature.rules: it is missing"},
        {"title = \"A title\"", "title = \"A title", ":1: "},
        {"posted =", "p\u00f6sted =", ":4: a character outside of texts that is not ASCII"},
        {"[[published]]", "[[expected.effects]]\nname = \"x\"\ntarget = \"y\"\n[[published]]",
         ":17: expected.effects.target: 'y' is none of hot_paths"},
        {"[[published]]",
         "[[expected.effects]]\nname = \"x\"\ntarget = \"icache-flush\"\nvalue = 1\n"
         "of = \"time\"\n[[published]]",
         ":19: expected.effects.of: only calls are told apart by value"},
        {"[expected]", "[}]", ":12: a table's header has no key"},
    };
    for (const Mistake& mistake : mistakes) {
        const std::string error = error_of(with(mistake.from, mistake.to));
        EXPECT_NE(error.find(mistake.error), std::string::npos)
            << "wanted: " << mistake.error << "\ngot:    " << error;
        EXPECT_TRUE(error.starts_with("cannot read some-slug/patch.toml:")) << error;
    }
}

TEST(PatchFile, TextsAndCommentsMayHaveAnyCharacter) {
    const std::string note =
        "operation = \"hit\"  # \u00fc's \"\nnote = \"\"\"\n\\\"\u00e4 'x\n\"\"\"\n";
    const auto known = read(with("operation = \"hit\"\n", note));
    ASSERT_TRUE(known) << known.error().what;
    EXPECT_EQ(known->patch.workload.note, "\"\u00e4 'x");
    EXPECT_EQ(read(with("\"Somebody\"", "'S\u00f8mebody\\'"))->patch.author, "S\u00f8mebody\\");
}

TEST(PatchFile, AnyByteMayBeWrong) {
    for (std::size_t at = 0; at < kGood.size(); at += 13) {
        for (const char byte : {'\0', '"', '[', '}', '\n', '\xff'}) {
            std::string text = kGood;
            text[at] = byte;
            static_cast<void>(read(text));
        }
        static_cast<void>(read(kGood.substr(0, at)));
    }
}

TEST(Catalogue, OursIsWhole) {
    const auto patches = read_catalogue(KCOST_PATCHES);
    ASSERT_TRUE(patches) << patches.error().what;
    Names slugs;
    for (const KnownPatch& it : *patches) slugs.push_back(it.patch.slug);
    EXPECT_EQ(slugs, (Names{"switch-context-this-cpu", "uprobe-xol-flush",
                            "uretprobe-return-instance", "wp-fault-local-tlbi"}));
    EXPECT_EQ(symbols_of(*patches), (Names{"__per_cpu_offset"}));
}

TEST(Catalogue, OneBadFileIsAnError) {
    kernel::TempRoot root;
    root.put("/good/patch.toml", kGood).put("/bad/patch.toml", "title = 5\n");
    const auto patches = read_catalogue(root.get().prefix);
    ASSERT_FALSE(patches);
    EXPECT_NE(patches.error().what.find("/bad/patch.toml:1: title"), std::string::npos);
}

TEST(Catalogue, SaysWhichFolderIsNone) {
    kernel::TempRoot root;
    EXPECT_EQ(read_catalogue(root.get().at("/nowhere")).error().code, ExitCode::kUsage);
    EXPECT_NE(read_catalogue(root.get().prefix).error().what.find("there is none"),
              std::string::npos);
    root.put("/Bad Name/patch.toml", kGood);
    EXPECT_NE(read_catalogue(root.get().prefix).error().what.find("a-z, 0-9 and '-'"),
              std::string::npos);
    kernel::TempRoot empty;
    empty.put("/slug/other.txt", "");
    EXPECT_NE(read_catalogue(empty.get().prefix).error().what.find("/slug/patch.toml"),
              std::string::npos);
}

}  // namespace
}  // namespace kcost::patch
