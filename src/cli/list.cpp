// kcost list: the hot paths, and how each would be measured on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "analyse/report.h"
#include "base/text.h"
#include "cli/command.h"
#include "export/json.h"
#include "kernel/capability.h"
#include "kernel/probe_lists.h"
#include "model/hot_path.h"
#include "probe/operation_plan.h"
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
    kernel::Root root;
    probe::OperationPlanner operations(root);
    auto blacklist = kernel::KprobeBlacklist::read(root);
    auto rights = kernel::require_tracing_rights(root);
    for (const model::HotPath& path : paths) {
        if (path.operation && rights) {
            tried.push_back(
                operations.try_out(path, blacklist ? *blacklist : kernel::KprobeBlacklist()));
            continue;
        }
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

std::string counted_text(const model::Site& site) {
    return site.counted_only ? "; counted only: " + site.counted_reason : "";
}

void print_sites(const model::Target& target) {
    for (const model::Site& site : target.sites) {
        fmt::print("    {}: {} ({})\n", escape_for_terminal(site.function), site.mechanism,
                   escape_for_terminal(site.reason + counted_text(site)));
    }
}

// "unmap_hotplug_range+0x2cc" → "unmap_hotplug_range".
std::string function_of(const std::string& place) { return place.substr(0, place.rfind("+0x")); }

// "tlb_flush (3)", each function once.
std::string functions_of(const std::vector<std::string>& places) {
    std::vector<std::pair<std::string, unsigned>> counts;
    for (const std::string& place : places) {
        const std::string function = function_of(place);
        auto same = [&](const auto& count) { return count.first == function; };
        auto found = std::find_if(counts.begin(), counts.end(), same);
        if (found == counts.end()) found = counts.insert(counts.end(), {function, 0});
        found->second++;
    }
    std::string text;
    for (const auto& [function, count] : counts) {
        text += (text.empty() ? "" : ", ") + function;
        if (count > 1) text += fmt::format(" ({})", count);
    }
    return text;
}

// An operation has dozens of sites: one line for those that are alike.
void print_operation(const model::Target& target) {
    fmt::print("    {} of {} sites can be armed:\n", target.sites.size(), target.sites_found);
    std::map<std::string, std::vector<std::string>> alike;
    for (const model::Site& site : target.sites) {
        const std::string how = site.mechanism + (site.repeated ? " x2 (" : " (") + site.detail +
                                counted_text(site) + ")";
        alike[how].push_back(site.function);
    }
    for (const auto& [how, places] : alike) {
        fmt::print("    {}: {}\n", escape_for_terminal(how),
                   escape_for_terminal(functions_of(places)));
    }
}

void print_skipped(const model::Target& target) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> alike;
    for (const model::Skipped& skipped : target.skipped) {
        alike[{skipped.reason, skipped.remedy}].push_back(skipped.function);
    }
    for (const auto& [why, places] : alike) {
        fmt::print("    not here: {}: {}\n", escape_for_terminal(functions_of(places)),
                   escape_for_terminal(why.first));
        if (!why.second.empty()) fmt::print("        try: {}\n", escape_for_terminal(why.second));
    }
}

void print_target(const model::HotPath& path, const model::Target& target) {
    fmt::print("{}{}\n    {}\n", path.name, path.only_by_name ? " (only when named)" : "",
               path.summary);
    if (!path.blind_spot.empty()) fmt::print("    not seen: {}\n", path.blind_spot);
    std::string settings = model::describe_settings(path);
    if (!settings.empty()) fmt::print("    {}\n", settings);
    if (target.sites_found > 0) {
        print_operation(target);
    } else {
        print_sites(target);
    }
    print_skipped(target);
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
