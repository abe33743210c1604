// kcost list: the hot paths, and how each would be measured on this machine.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "analyse/report.h"
#include "base/text.h"
#include "cli/command.h"
#include "export/json.h"
#include "model/hot_path.h"
#include "probe/session.h"

namespace kcost {
namespace {

struct ListOptions {
    bool names_only = false;
    std::string format = "text";
};

// Each on its own, so that one that fails does not hide another.
std::vector<model::Target> try_each(const std::vector<model::HotPath>& paths) {
    std::vector<model::Target> tried;
    for (const model::HotPath& path : paths) {
        probe::SessionOptions options;
        options.payers_one_in = 0;
        auto session = probe::Session::attach({path}, options);
        if (session) {
            tried.push_back(session->recording(false).targets.front());
            continue;
        }
        model::Target target;
        target.name = path.name;
        target.summary = path.summary;
        target.skipped = {{path.name, session.error().what, session.error().hint}};
        tried.push_back(std::move(target));
    }
    return tried;
}

void print_target(const model::HotPath& path, const model::Target& target) {
    fmt::print("{}\n    {}\n", path.name, path.summary);
    std::string settings = model::describe_settings(path);
    if (!settings.empty()) fmt::print("    {}\n", settings);
    for (const model::Site& site : target.sites) {
        fmt::print("    {}: {} ({})\n", escape_for_terminal(site.function), site.mechanism,
                   escape_for_terminal(site.reason));
    }
    for (const model::Skipped& skipped : target.skipped) {
        fmt::print("    {}: not here: {}\n", escape_for_terminal(skipped.function),
                   escape_for_terminal(skipped.reason));
        if (!skipped.remedy.empty()) {
            fmt::print("        try: {}\n", escape_for_terminal(skipped.remedy));
        }
    }
}

Result<int> print_json(std::vector<model::Target> targets) {
    model::Recording recording;
    recording.kcost_version = KCOST_VERSION;
    recording.whole = true;
    recording.targets = std::move(targets);
    auto text = kExportJson.render(make_report(recording), {});
    if (!text) return tl::unexpected(text.error());
    fmt::print("{}", *text);
    return static_cast<int>(ExitCode::kDone);
}

Result<int> list(const ListOptions& options) {
    const auto& paths = model::built_in_hot_paths();
    if (options.names_only) {
        for (const model::HotPath& path : paths) fmt::print("{}\n", path.name);
        return static_cast<int>(ExitCode::kDone);
    }
    auto tried = try_each(paths);
    if (options.format == "json") return print_json(std::move(tried));
    bool any = false;
    for (std::size_t i = 0; i < paths.size(); i++) {
        print_target(paths[i], tried[i]);
        any = any || !tried[i].sites.empty();
    }
    if (any) return static_cast<int>(ExitCode::kDone);
    return fail("no hot path can be measured here", "kcost doctor tells why",
                ExitCode::kCannotHere);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<ListOptions>();
    app.add_flag("--names", options->names_only, "Names only; tries nothing, so anybody may ask");
    app.add_option("-f,--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    return [options] { return list(*options); };
}

}  // namespace

extern const Command kCommandList = {
    "list", "Name the hot paths and how each would be measured here", set_up};

}  // namespace kcost
