// kcost confirm: whether a patch did what it says, from measurements of both kernels.
#include "analyse/confirm.h"

#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "analyse/confirm_looks.h"
#include "analyse/patch_claims.h"
#include "analyse/verdict.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "export/claims_json.h"
#include "export/claims_text.h"
#include "export/writeup_table.h"
#include "patch/catalogue.h"
#include "store/measurement_file.h"

namespace kcost {
namespace {

struct ConfirmOptions {
    std::string before;
    std::string after;
    std::string slug;
    std::string aa;
    std::string claims;
    std::string folder;
    std::string format = "text";
};

struct Sides {
    model::Measurement before;
    model::Measurement after;
    std::optional<model::Measurement> aa;
};

std::string folder_of(const ConfirmOptions& options) {
    return options.folder.empty() ? patch::catalogue_folder() : options.folder;
}

Result<int> grade_claims(const ConfirmOptions& options) {
    const bool json = options.format == "json";
    if (!json && options.format != "text") {
        return fail("published figures alone cannot be told as " + options.format,
                    "--format with one of text, json", ExitCode::kUsage);
    }
    auto known = patch::read_one(folder_of(options), options.claims);
    if (!known) return tl::unexpected(known.error());
    const model::GradedPatch graded = grade_patch(known->patch);
    fmt::print("{}", json ? render_claims_json(graded) : render_claims_text(graded));
    return static_cast<int>(ExitCode::kDone);
}

Result<const Writeup*> find_writeup(const std::string& name) {
    std::string names;
    for (const Writeup* it : writeup_table()) {
        if (name == it->name) return it;
        names += (names.empty() ? "" : ", ") + std::string(it->name);
    }
    return fail("there is no format " + name, "--format with one of " + names, ExitCode::kUsage);
}

Result<Sides> load_sides(const ConfirmOptions& options) {
    if (options.before.empty() || options.after.empty()) {
        return fail("a measurement of each kernel is needed",
                    "kcost confirm BEFORE AFTER, or --claims SLUG", ExitCode::kUsage);
    }
    auto before = load_measurement(options.before);
    if (!before) return tl::unexpected(before.error());
    auto after = load_measurement(options.after);
    if (!after) return tl::unexpected(after.error());
    Sides sides{std::move(*before), std::move(*after), std::nullopt};
    if (options.aa.empty()) return sides;
    auto aa = load_measurement(options.aa);
    if (!aa) return tl::unexpected(aa.error());
    sides.aa = std::move(*aa);
    return sides;
}

// The one that is named, else that of the measurements; none of these: no patch.
Result<std::optional<patch::KnownPatch>> find_patch(const ConfirmOptions& options,
                                                    const Sides& sides) {
    std::string slug = options.slug;
    if (slug.empty()) {
        auto measured = patch_of(sides.before, sides.after);
        if (!measured) return tl::unexpected(measured.error());
        slug = *measured;
    }
    if (slug.empty()) return std::nullopt;
    auto known = patch::read_one(folder_of(options), slug);
    if (!known) return tl::unexpected(known.error());
    return std::optional(std::move(*known));
}

void count_look(model::Measurement& side, const model::Look& look, const std::string& file) {
    if (has_look(side, look)) return;
    side.looks.push_back(look);
    const auto saved = save_measurement(side, file);
    if (saved) return;
    log::warn(fmt::format("this look is not counted in {}: {}", file, saved.error().what));
}

// Both looks are made before either is added: each is of the other side as it was.
void count_looks(Sides& sides, const ConfirmOptions& options) {
    const std::string now = format_utc(std::time(nullptr));
    const model::Look before = look_at(sides.before, sides.after, now);
    const model::Look after = look_at(sides.after, sides.before, now);
    count_look(sides.before, before, options.before);
    count_look(sides.after, after, options.after);
}

Result<int> confirm_sides(const ConfirmOptions& options) {
    const auto writeup = find_writeup(options.format);
    if (!writeup) return tl::unexpected(writeup.error());
    auto sides = load_sides(options);
    if (!sides) return tl::unexpected(sides.error());
    const auto known = find_patch(options, *sides);
    if (!known) return tl::unexpected(known.error());
    ConfirmInput input;
    input.before = &sides->before;
    input.after = &sides->after;
    input.before_file = options.before;
    input.after_file = options.after;
    input.patch = *known ? &(*known)->patch : nullptr;
    input.aa = sides->aa ? &*sides->aa : nullptr;
    input.aa_file = options.aa;
    const auto confirmation = confirm(input);
    if (!confirmation) return tl::unexpected(confirmation.error());
    const std::string text = (*writeup)->render(*confirmation);
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) return fail("cannot write the verdict to standard output");
    // Where nothing was compared nothing was seen.
    if (confirmation->exit_status != static_cast<int>(Outcome::kNotComparable)) {
        count_looks(*sides, options);
    }
    return confirmation->exit_status;
}

Result<int> run(const ConfirmOptions& options) {
    return options.claims.empty() ? confirm_sides(options) : grade_claims(options);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<ConfirmOptions>();
    auto* before = app.add_option("BEFORE", options->before, "The measurement without the patch");
    auto* after = app.add_option("AFTER", options->after, "The one with it");
    auto* slug =
        app.add_option("--patch", options->slug, "The patch (default: that of the measurements)")
            ->type_name("SLUG");
    auto* aa = app.add_option("--aa", options->aa,
                              "Take what boots differ by from this measurement of one kernel over "
                              "several boots, where a side has fewer than three")
                   ->type_name("FILE");
    app.add_option("--claims", options->claims,
                   "Grade the published figures of this patch alone; needs no measurement")
        ->type_name("SLUG")
        ->excludes(before)
        ->excludes(after)
        ->excludes(slug)
        ->excludes(aa);
    app.add_option("--patches", options->folder, "Folder of patches, one folder each")
        ->type_name("DIR");
    std::string names;
    for (const Writeup* it : writeup_table()) {
        names += std::string("\n  ") + it->name + ": " + it->summary;
    }
    app.add_option("-f,--format", options->format, "How to tell it:" + names)
        ->capture_default_str();
    return [options] { return run(*options); };
}

}  // namespace

extern const Command kCommandConfirm = {
    "confirm", "Tell whether a patch did what it says, or whether its published figures can",
    set_up};

}  // namespace kcost
