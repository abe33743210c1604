#include "patch/patch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "model/hot_path.h"
#include "patch/signature_file.h"

namespace kcost::patch {
namespace {

using model::Printed;

std::optional<double> parse_decimal(std::string_view text) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "298.62 ± 1.86", "47025"
std::optional<Printed> parse_printed(const std::string& text) {
    constexpr std::string_view kPlusMinus = "±";
    const std::size_t sign = text.find(kPlusMinus);
    const std::string_view number = trim(std::string_view(text).substr(0, sign));
    Printed printed;
    printed.text = text;
    const auto value = parse_decimal(number);
    if (!value) return std::nullopt;
    printed.value = *value;
    const std::size_t point = number.find('.');
    if (point != number.npos) printed.decimals = static_cast<unsigned>(number.size() - point - 1);
    if (sign == text.npos) return printed;
    printed.spread = parse_decimal(trim(std::string_view(text).substr(sign + kPlusMinus.size())));
    if (!printed.spread) return std::nullopt;
    return printed;
}

std::optional<Printed> read_printed(TomlTable& table, const char* key) {
    const std::string text = table.optional_text(key);
    if (text.empty()) return std::nullopt;
    auto printed = parse_printed(text);
    if (!printed) table.wrong(key, "'" + text + "' is no figure such as \"298.62 ± 1.86\"");
    return printed;
}

/// "+40.6%" is 0.406.
std::optional<double> parse_change(std::string_view text) {
    if (!text.ends_with('%') || (text.front() != '+' && text.front() != '-')) return std::nullopt;
    const auto percent = parse_decimal(text.substr(1, text.size() - 2));
    if (!percent || !std::isfinite(*percent) || *percent < 0) return std::nullopt;
    return (text.front() == '-' ? -1 : 1) * *percent / 100;
}

void read_change(TomlTable& table, model::PublishedFigure& figure) {
    figure.change = table.optional_text("change");
    if (figure.change.empty()) return;
    figure.relative_change = parse_change(figure.change);
    if (!figure.relative_change)
        table.wrong("change", "'" + figure.change + "' is no change such as \"+40.6%\"");
}

model::PublishedFigure read_figure(TomlTable& table) {
    model::PublishedFigure figure;
    figure.name = table.text("name");
    figure.before = read_printed(table, "before");
    figure.after = read_printed(table, "after");
    figure.baseline = read_printed(table, "baseline");
    read_change(table, figure);
    figure.unit = table.text("unit");
    figure.higher_is_better = table.word("better", {"higher", "lower"}) == "higher";
    figure.control = table.flag("control");
    const bool pair = figure.before && figure.after;
    if (!pair && figure.change.empty()) table.wrong("", "it needs before and after, or change");
    table.done();
    return figure;
}

model::Publication read_publication(TomlTable& table) {
    model::Publication publication;
    publication.machine = table.text("machine");
    publication.source = table.text("source");
    publication.spread = table.word("spread", {"none", "sd", "se"});
    publication.n = table.number("n");
    for (TomlTable& figure : table.tables("figures")) {
        publication.figures.push_back(read_figure(figure));
        const bool told = publication.figures.back().before &&
                          publication.figures.back().before->spread.has_value();
        if (told && publication.spread == "none") table.wrong("spread", "figures have a ±");
    }
    if (publication.figures.empty()) table.wrong("figures", "it is missing");
    table.done();
    return publication;
}

std::vector<model::Circumstance> read_circumstances(TomlTable& table, const char* key) {
    std::vector<model::Circumstance> all;
    for (TomlTable& it : table.tables(key)) {
        TomlTable when = it.table("when");
        all.push_back({when.all_texts(), it.text("because")});
        if (when.empty()) it.wrong("when", "it is missing");
        it.done();
    }
    return all;
}

model::Commit read_commit(TomlTable table) {
    model::Commit commit;
    if (table.empty()) return commit;
    commit.id = table.text("commit");
    commit.subject = table.text("subject");
    commit.version = table.text("version");
    const bool hexadecimal = commit.id.size() >= 12 &&
                             commit.id.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hexadecimal && !commit.id.empty()) table.wrong("commit", "it must have 12 digits or more");
    table.done();
    return commit;
}

model::PatchWorkload read_workload(TomlTable table) {
    model::PatchWorkload workload;
    workload.name = table.text("name");
    workload.controls = table.texts("controls");
    workload.operation = table.text("operation");
    workload.note = table.optional_text("note");
    for (TomlTable& it : table.tables("other_causes")) {
        workload.other_causes.push_back({it.text("workload"), it.text("because")});
        it.done();
    }
    table.done();
    return workload;
}

void read_hot_paths(TomlTable& table, model::Patch& patch) {
    patch.hot_paths = table.texts("hot_paths");
    if (patch.hot_paths.empty()) table.wrong("hot_paths", "it is missing");
    for (const std::string& name : patch.hot_paths) {
        const auto path = model::parse_target(name);
        if (!path) table.wrong("hot_paths", path.error().what);
    }
}

model::EffectOf read_effect_of(TomlTable& table) {
    const std::string of = table.word("of", {"calls", "time", "instructions"});
    if (of == "time") return model::EffectOf::kTime;
    return of == "instructions" ? model::EffectOf::kInstructions : model::EffectOf::kCalls;
}

model::ExpectedEffect read_effect(TomlTable& table, const model::Patch& patch) {
    model::ExpectedEffect effect;
    effect.name = table.text("name");
    effect.value = table.number("value");
    effect.caller = table.optional_text("caller");
    effect.in = table.texts("in");
    effect.of = read_effect_of(table);
    effect.target = effect.of == model::EffectOf::kInstructions ? "" : table.text("target");
    effect.falls = table.word("must", {"fall", "rise"}) == "fall";
    const auto& paths = patch.hot_paths;
    const bool of_target = effect.of != model::EffectOf::kInstructions;
    if (of_target && std::find(paths.begin(), paths.end(), effect.target) == paths.end())
        table.wrong("target", "'" + effect.target + "' is none of hot_paths");
    const bool whole = !effect.value && effect.caller.empty() && effect.in.empty();
    if (effect.of != model::EffectOf::kCalls && !whole)
        table.wrong("of", "only calls are told apart by value, caller or site");
    table.done();
    return effect;
}

void read_expected(TomlTable table, model::Patch& patch) {
    patch.mechanism = table.text("mechanism");
    patch.benefit = table.text("benefit");
    for (TomlTable& it : table.tables("effects")) patch.effects.push_back(read_effect(it, patch));
    table.done();
}

KnownPatch read_all(TomlTable table) {
    KnownPatch known;
    model::Patch& patch = known.patch;
    patch.title = table.text("title");
    patch.summary = table.text("summary");
    patch.author = table.text("author");
    patch.posted = table.text("posted");
    patch.reference = table.text("reference");
    patch.upstream = read_commit(table.table("upstream"));
    patch.superseded_by = read_commit(table.table("superseded_by"));
    read_hot_paths(table, patch);
    patch.workload = read_workload(table.table("workload"));
    read_expected(table.table("expected"), patch);
    for (TomlTable& it : table.tables("published")) patch.published.push_back(read_publication(it));
    patch.moot = read_circumstances(table, "moot");
    patch.worth_more = read_circumstances(table, "worth_more");
    known.signature = read_signature(table.table("signature"));
    table.done();
    return known;
}

}  // namespace

Result<KnownPatch> read_patch(const std::string& folder) {
    auto file = TomlFile::read(folder + "/patch.toml");
    if (!file) return tl::unexpected(file.error());
    KnownPatch known = read_all(TomlTable(*file));
    if (file->error()) return tl::unexpected(*file->error());
    known.patch.slug = std::filesystem::path(folder).filename().string();
    return known;
}

}  // namespace kcost::patch
