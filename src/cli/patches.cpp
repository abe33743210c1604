// kcost patches: which known optimisations a kernel has, proven from its text and types.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "export/patches_json.h"
#include "kernel/live_features.h"
#include "kernel/machine.h"
#include "patch/catalogue.h"
#include "patch/report.h"
#include "patch/subject.h"

namespace kcost {
namespace {

using model::FactFinding;
using model::PatchReport;

struct PatchesOptions {
    std::string slug;
    std::string folder;
    std::string image;
    std::string system_map;
    std::string format = "text";
};

std::string evidence_of(const PatchReport& report) {
    const std::string form = report.finding.form;
    return model::to_string(report.finding.evidence) + (form.empty() ? "" : " (" + form + ")");
}

void print_circumstances(const PatchReport& report, const char* indent) {
    for (const std::string& reason : report.moot_here) {
        fmt::print("{}moot here: {}\n", indent, escape_for_terminal(reason));
    }
    for (const std::string& reason : report.worth_more_here) {
        fmt::print("{}worth more here: {}\n", indent, escape_for_terminal(reason));
    }
}

void print_table(const std::vector<PatchReport>& reports) {
    std::size_t slugs = 0, evidences = 0;
    for (const PatchReport& report : reports) {
        slugs = std::max(slugs, report.patch.slug.size());
        evidences = std::max(evidences, evidence_of(report).size());
    }
    for (const PatchReport& report : reports) {
        fmt::print("{:<{}}  {:<{}}  {}\n", report.patch.slug, slugs,
                   escape_for_terminal(evidence_of(report)), evidences,
                   escape_for_terminal(report.finding.why));
        print_circumstances(report, "    ");
    }
}

std::string joined(const std::vector<std::string>& all, const char* between) {
    std::string text;
    for (const std::string& it : all) text += (text.empty() ? "" : between) + it;
    return text;
}

void print_line(const char* name, const std::string& text) {
    if (!text.empty()) fmt::print("{:<14}{}\n", name, escape_for_terminal(text));
}

std::string commit_text(const model::Commit& commit) {
    if (commit.id.empty()) return "";
    return fmt::format("{} (\"{}\"), Linux {}", commit.id, commit.subject, commit.version);
}

void print_published(const model::Publication& publication) {
    fmt::print("published figures: {}\n", escape_for_terminal(publication.machine));
    for (const model::PublishedFigure& figure : publication.figures) {
        const bool pair = figure.before && figure.after;
        const std::string figures =
            pair ? figure.before->text + " -> " + figure.after->text + " " + figure.unit
                 : figure.change;
        const std::string baseline =
            figure.baseline ? " (without probes " + figure.baseline->text + ")" : "";
        fmt::print("    {}{}: {}{}\n", escape_for_terminal(figure.name),
                   figure.control ? " (control)" : "", escape_for_terminal(figures),
                   escape_for_terminal(baseline));
    }
    const std::string n = publication.n ? fmt::format(", n = {}", *publication.n) : "";
    const std::string spread = publication.spread == "sd"   ? "± is a sample's standard deviation"
                               : publication.spread == "se" ? "± is a standard error"
                                                            : "no spread was published";
    fmt::print("    {}{}; {}\n", spread, n, escape_for_terminal(publication.source));
}

void print_fact(const FactFinding& fact) {
    const std::string where = fact.where.empty() || fact.where == "types" ? "" : fact.where + " ";
    const char* value = fact.value == FactFinding::Value::kYes  ? "yes"
                        : fact.value == FactFinding::Value::kNo ? "no"
                                                                : "cannot tell";
    const std::string reason = fact.reason.empty() ? "" : " (" + fact.reason + ")";
    fmt::print("  {}{}: {}{}\n", escape_for_terminal(where), escape_for_terminal(fact.claim), value,
               escape_for_terminal(reason));
    for (const model::ShownInstruction& shown : fact.instructions) {
        fmt::print("    {:016x}  {:<36}  {:08x}  {}\n", shown.address,
                   escape_for_terminal(shown.place), shown.word, escape_for_terminal(shown.text));
    }
}

// What is moot or worth more depends on the machine, and a file does not say which will run it.
void print_unknown_circumstances(const model::AskedKernel& kernel) {
    if (kernel.image.empty()) return;
    fmt::print("not known of a kernel in a file: where a patch is moot or worth more\n");
}

std::string evidence_source(const model::AskedKernel& kernel) {
    if (kernel.image.empty()) return "from live text and types";
    const std::string release = kernel.release.empty() ? "" : " (Linux " + kernel.release + ")";
    return "from text and types of " + kernel.image + release + ", as built";
}

void print_page(const model::AskedKernel& kernel, const PatchReport& report) {
    const model::Patch& patch = report.patch;
    fmt::print("{}: {}\n", patch.slug, escape_for_terminal(evidence_of(report)));
    print_line("because", report.finding.why);
    print_line("try", report.finding.remedy);
    print_circumstances(report, "");
    print_unknown_circumstances(kernel);
    fmt::print("\n");
    print_line("patch", patch.title);
    print_line("", patch.summary);
    print_line("by", patch.author + ", " + patch.posted + ", " + patch.reference);
    print_line("upstream", commit_text(patch.upstream));
    print_line("superseded by", commit_text(patch.superseded_by));
    print_line("mechanism", patch.mechanism);
    print_line("benefit", patch.benefit);
    print_line("workload", patch.workload.name + ", per " + patch.workload.operation +
                               "; controls: " + joined(patch.workload.controls, ", "));
    print_line("", patch.workload.note);
    print_line("measured by", "kcost record -t " + joined(patch.hot_paths, " -t "));
    for (const model::Publication& it : patch.published) print_published(it);
    fmt::print("\nevidence, {}\n", escape_for_terminal(evidence_source(kernel)));
    for (const FactFinding& fact : report.finding.facts) print_fact(fact);
}

// All, or the one that is named.
Result<std::vector<patch::KnownPatch>> chosen_patches(const PatchesOptions& options) {
    const std::string folder = options.folder.empty() ? patch::catalogue_folder() : options.folder;
    if (options.slug.empty()) return patch::read_catalogue(folder);
    auto one = patch::read_one(folder, options.slug);
    if (!one) return tl::unexpected(one.error());
    return std::vector<patch::KnownPatch>{std::move(*one)};
}

void warn_of_untold_facts(const std::vector<patch::KnownPatch>& patches,
                          const model::Machine& machine) {
    for (const patch::KnownPatch& known : patches) {
        for (const std::string& name : patch::untold_facts(known.patch, machine)) {
            log::warn(known.patch.slug + " asks for " + name +
                      ", which is no fact of this machine: kcost doctor lists those there are");
        }
    }
}

Result<std::vector<PatchReport>> ask_running_kernel(const std::vector<patch::KnownPatch>& known,
                                                    model::AskedKernel& kernel) {
    const kernel::Root root;
    auto subject = patch::read_running_kernel(root, patch::symbols_of(known));
    if (!subject) return tl::unexpected(subject.error());
    model::Machine machine = kernel::read_machine(root);
    kernel::add_live_facts(root, machine);
    kernel = subject->asked;
    warn_of_untold_facts(known, machine);
    return patch::report(known, *subject, machine);
}

Result<std::vector<PatchReport>> ask_image(const std::vector<patch::KnownPatch>& known,
                                           const PatchesOptions& options,
                                           model::AskedKernel& kernel) {
    auto subject = patch::read_image(options.image, options.system_map, patch::symbols_of(known));
    if (!subject) return tl::unexpected(subject.error());
    kernel = subject->asked;
    return patch::report(known, *subject, {});
}

Result<int> patches(const PatchesOptions& options) {
    auto known = chosen_patches(options);
    if (!known) return tl::unexpected(known.error());
    model::AskedKernel kernel;
    auto reports = options.image.empty() ? ask_running_kernel(*known, kernel)
                                         : ask_image(*known, options, kernel);
    if (!reports) return tl::unexpected(reports.error());
    if (options.format == "json") {
        fmt::print("{}", render_patches_json(kernel, *reports));
    } else if (options.slug.empty()) {
        print_table(*reports);
        print_unknown_circumstances(kernel);
    } else {
        print_page(kernel, reports->front());
    }
    return static_cast<int>(ExitCode::kDone);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<PatchesOptions>();
    app.add_option("SLUG", options->slug, "Show one patch, with the instructions that prove it");
    app.add_option("--patches", options->folder, "Folder of patches, one folder each")
        ->type_name("DIR");
    auto* image = app.add_option("--image", options->image,
                                 "A kernel's file, Image or vmlinux, in place of the running one")
                      ->type_name("FILE");
    app.add_option("--symbols", options->system_map, "System.map of an image without symbols")
        ->type_name("FILE")
        ->needs(image);
    app.add_option("-f,--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    return [options] { return patches(*options); };
}

}  // namespace

extern const Command kCommandPatches = {
    "patches", "Tell which known optimisations a kernel has, from its text", set_up};

}  // namespace kcost
