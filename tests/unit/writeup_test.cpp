#include "export/writeup.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analyse/confirm.h"
#include "base/text.h"
#include "confirm_fixture.h"
#include "export/html.h"
#include "export/writeup_table.h"
#include "golden.h"
#include "store/measurement_file.h"

namespace kcost {
namespace {

model::Confirmation confirmation_of(const model::Measurement& before,
                                    const model::Measurement& after,
                                    const model::Patch& patch = test::xol_flush()) {
    auto it = confirm({&before, &after, "before.kcost", "after.kcost", &patch, nullptr, ""});
    EXPECT_TRUE(it) << it.error().what;
    return it ? *it : model::Confirmation{};
}

std::string rendered(const std::string& name, const model::Confirmation& confirmation) {
    for (const Writeup* it : writeup_table())
        if (name == it->name) return it->render(confirmation);
    ADD_FAILURE() << "no format " << name;
    return "";
}

// Emulated, with one of each thing that can go wrong.
model::Confirmation troubled() {
    model::Measurement before = test::before_side(), after = test::after_side();
    for (auto* side : {&before, &after})
        for (auto& session : side->sessions) session.emulated = true;
    test::set_fact(after, "cpu.governor", "schedutil");
    for (auto& session : after.sessions) session.kernel.release = "6.18.15";
    after.sessions[0].failures = {{0, model::Mode::kBare, 6, "it was killed", ""}};
    before.sessions[0].repetitions[1].values.clear();
    return confirmation_of(before, after);
}

// What comes from outside and wants to be more than text.
model::Confirmation hostile() {
    const std::string evil = "\x1b[2J</script><img src=x onerror=alert(1)>\"'&\n# a\n---\n\xff\x9b";
    model::Measurement before = test::before_side(), after = test::after_side();
    for (auto* side : {&before, &after}) {
        side->workloads[0].command = {evil, "word"};
        side->workloads[0].metrics[0].unit = evil;
        side->targets[0] = evil;
        for (auto& session : side->sessions) {
            session.warnings = {evil};
            session.machine.emplace_back(evil, evil + session.boot_id);
            session.boot_id = evil + session.boot_id;
            session.kernel.release = evil;
            for (auto& fact : session.patches[0].finding.facts)
                fact.claim = fact.where = fact.instructions[0].text = evil;
        }
    }
    model::Patch patch = test::xol_flush();
    patch.title = patch.effects[0].name = evil;
    patch.effects[0].target = evil;
    patch.published[0].machine = evil;
    model::Confirmation it = confirmation_of(before, after, patch);
    it.before.file = evil;
    it.unattributed = it.notes = {evil};
    return it;
}

TEST(Writeup, Goldens) {
    const auto good = confirmation_of(test::before_side(), test::after_side());
    for (const Writeup* it : writeup_table()) {
        test::expect_golden(std::string("confirm.") + it->name, it->render(good));
        if (it->name != std::string("json"))
            test::expect_golden(std::string("confirm-emulated.") + it->name,
                                it->render(troubled()));
    }
}

TEST(Writeup, TheTableHasAllFour) {
    std::string names;
    for (const Writeup* it : writeup_table()) names += std::string(it->name) + " ";
    EXPECT_EQ(names, "commit html json text ");
}

TEST(Writeup, EmulatedIsSaidInEach) {
    const auto it = troubled();
    for (const Writeup* writeup : writeup_table())
        EXPECT_NE(writeup->render(it).find("emulated"), std::string::npos) << writeup->name;
}

TEST(Writeup, NothingFromOutsideEscapes) {
    const auto it = hostile();
    for (const Writeup* writeup : writeup_table()) {
        const std::string text = writeup->render(it);
        for (std::string_view line : split(text, '\n'))
            EXPECT_EQ(escape_for_terminal(line), line) << writeup->name;
        EXPECT_EQ(text.find("\n# a"), std::string::npos) << writeup->name;
        EXPECT_EQ(text.find("\n---"), std::string::npos) << writeup->name;
    }
}

TEST(Writeup, HtmlIsSelfContainedAndEscaped) {
    for (const auto& it : {hostile(), troubled()}) {
        const std::string page = rendered("html", it);
        for (const char* forbidden : {"<script", "<img", "onerror=alert(1)>\"", "href=", "src=\"",
                                      "url(", "@import", "<link", "<iframe"})
            EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
        EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
        for (const char* tag : {"table", "tr", "ul", "li", "svg", "text", "pre", "td", "p", "h2"}) {
            const auto count = [&](const std::string& what) {
                std::size_t n = 0;
                for (std::size_t at = 0; (at = page.find(what, at)) != page.npos; ++at) ++n;
                return n;
            };
            const std::string name = tag;
            EXPECT_EQ(count("<" + name + ">") + count("<" + name + " "), count("</" + name + ">"))
                << tag;
        }
        EXPECT_EQ(page.find("\"nan"), std::string::npos);
        EXPECT_EQ(page.find("\"inf"), std::string::npos);
    }
}

TEST(Writeup, EveryLineOfACommitMessageIsIndented) {
    for (const auto& it : {hostile(), troubled()}) {
        const std::string text = rendered("commit", it);
        for (std::string_view line : split(text, '\n'))
            EXPECT_TRUE(line.empty() || line.starts_with("  ")) << line;
    }
}

TEST(Writeup, JsonHoldsEveryRawPoint) {
    const auto it = confirmation_of(test::before_side(), test::after_side());
    const auto json = nlohmann::json::parse(rendered("json", it));
    EXPECT_EQ(json.at("verdict"), "confirmed");
    EXPECT_EQ(json.at("exit_status"), 0);
    EXPECT_EQ(json.at("scope"), "patch");
    const auto& push = json.at("metrics").at(0);
    ASSERT_EQ(push.at("before").at("boots").size(), 5u);
    EXPECT_EQ(push.at("before").at("boots").at(4).at("values").size(), 4u);
    EXPECT_EQ(json.at("effects").at(0).at("after").at("events"), 0);
    EXPECT_TRUE(nlohmann::json::accept(rendered("json", hostile())));
    EXPECT_TRUE(nlohmann::json::accept(rendered("json", troubled())));
}

// What the cases of tests/cli confirm.
TEST(Writeup, SampleFiles) {
    test::expect_golden("confirm-before.kcost", encode_measurement(test::before_side()));
    test::expect_golden("confirm-after.kcost", encode_measurement(test::after_side()));
}

TEST(Writeup, AnEmptyConfirmation) {
    for (const Writeup* writeup : writeup_table())
        EXPECT_FALSE(writeup->render({}).empty()) << writeup->name;
}

TEST(Html, Escapes) {
    EXPECT_EQ(escape_for_html("<a b=\"c\" d='e'>&\x1b"),
              "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\x1b");
}

}  // namespace
}  // namespace kcost
