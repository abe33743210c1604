// kcost confirm: whether a patch did what it says, from measurements of both kernels.
#include <fmt/format.h>

#include <memory>

#include "analyse/patch_claims.h"
#include "cli/command.h"
#include "export/claims_json.h"
#include "export/claims_text.h"
#include "patch/catalogue.h"

namespace kcost {
namespace {

struct ConfirmOptions {
    std::string claims;
    std::string folder;
    std::string format = "text";
};

std::string folder_of(const ConfirmOptions& options) {
    return options.folder.empty() ? patch::catalogue_folder() : options.folder;
}

Result<int> grade_claims(const ConfirmOptions& options) {
    auto known = patch::read_one(folder_of(options), options.claims);
    if (!known) return tl::unexpected(known.error());
    const model::GradedPatch graded = grade_patch(known->patch);
    const bool json = options.format == "json";
    fmt::print("{}", json ? render_claims_json(graded) : render_claims_text(graded));
    return static_cast<int>(ExitCode::kDone);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<ConfirmOptions>();
    app.add_option("--claims", options->claims,
                   "Grade the published figures of this patch alone; needs no measurement")
        ->type_name("SLUG")
        ->required();
    app.add_option("--patches", options->folder, "Folder of patches, one folder each")
        ->type_name("DIR");
    app.add_option("-f,--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    return [options] { return grade_claims(*options); };
}

}  // namespace

extern const Command kCommandConfirm = {
    "confirm", "Tell whether a patch did what it says, or whether its published figures can",
    set_up};

}  // namespace kcost
